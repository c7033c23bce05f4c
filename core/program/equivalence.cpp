#include "core/program/equivalence.h"

namespace pet {

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::Equivalent:
      return "equivalent";
    case Outcome::EquivalentUpToConstants:
      return "equivalent-up-to-constants";
    case Outcome::Partial:
      return "partial";
    case Outcome::Different:
      return "different";
    case Outcome::ShapeMismatch:
      return "shape-mismatch";
    case Outcome::Unknown:
      return "unknown";
    case Outcome::Unsupported:
      return "unsupported";
  }
  return "?";
}

}  // namespace pet
