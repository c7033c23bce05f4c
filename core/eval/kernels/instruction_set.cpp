#include "core/eval/kernels/instruction_set.h"

namespace pet {

bool supported(InstructionSet set) {
  switch (set) {
    case InstructionSet::Portable:
      return true;
    case InstructionSet::Avx2:
      return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    case InstructionSet::Avx512:
      return __builtin_cpu_supports("avx512f") != 0;
  }
  return false;
}

InstructionSet best_instruction_set() {
  static const InstructionSet best = supported(InstructionSet::Avx512) ? InstructionSet::Avx512
                                     : supported(InstructionSet::Avx2) ? InstructionSet::Avx2
                                                                       : InstructionSet::Portable;
  return best;
}

}  // namespace pet
