#include "core/program/passes/all_passes.h"

namespace pet {

const std::vector<const Pass*>& all_passes() {
  static const std::vector<const Pass*> all = {
#define PASS(name) &passes::name(),
#include "core/program/passes/all_passes.def"
#undef PASS
  };
  return all;
}

Result<Tidied> apply_passes(PassStage stage, Graph program, std::optional<std::size_t> part,
                            PassTools& tools) {
  Tidied out{std::move(program), {}};
  for (const Pass* pass : all_passes()) {
    if (pass->stage != stage) continue;
    auto made = pass->run(out.program, tools);
    if (!made) return std::move(made).error();
    if (made->program.digest() != out.program.digest())
      out.applied.push_back(
          {pass->name, part, std::move(out.program), made->program, std::move(made->became)});
    out.program = std::move(made->program);
  }
  return out;
}

}  // namespace pet
