// Which vector instructions the kernels use: the best ones of the machine, unless a test asks for
// others.
#pragma once

namespace pet {

enum class InstructionSet { Portable, Avx2, Avx512 };

bool supported(InstructionSet set);
InstructionSet best_instruction_set();

}  // namespace pet
