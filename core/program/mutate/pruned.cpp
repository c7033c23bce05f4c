#include "core/program/mutate/pruned.h"

namespace pet {

std::string_view to_string(Pruned why) {
  switch (why) {
    case Pruned::Misfit:
      return "misfit";
    case Pruned::Depth:
      return "depth";
    case Pruned::SeenNode:
      return "node seen";
    case Pruned::SeenProgram:
      return "program seen";
    case Pruned::Fingerprint:
      return "fingerprint";
  }
  return "";
}

}  // namespace pet
