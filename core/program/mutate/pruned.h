// Why the generator goes no further somewhere.
#pragma once

#include <cstddef>
#include <string_view>

namespace pet {

// Why a node or the program that it yields is not a mutant, or is not gone on from. Whatever is
// pruned for being there already has been yielded, or is yet to be from the node that is kept.
enum class Pruned {
  Misfit,       // the operator does not fit, or an output has another type
  Depth,        // too many activation operators
  SeenNode,     // the same views, windows and roles were reached by other moves
  SeenProgram,  // the same program, the original among them
  Fingerprint   // wrong at every position that was looked at
};
inline constexpr std::size_t kPrunedReasons = 5;
std::string_view to_string(Pruned why);

}  // namespace pet
