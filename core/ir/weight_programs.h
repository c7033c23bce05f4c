// How constants follow from constants of another program: small programs of operators (theory:
// section 6a). Constants are named by their bits.
#pragma once

#include <vector>

#include "core/ir/graph.h"

namespace pet {

struct WeightPrograms {
  Graph graph;                  // each input is named by the digest, in hex, of what it stands for
  std::vector<Digest> results;  // the constants that the outputs yield once they are rounded
};

}  // namespace pet
