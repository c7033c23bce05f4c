#include "core/search/shown_instances.h"

#include "core/ir/copy.h"
#include "core/util/check.h"

namespace pet {
namespace {

Graph with_output(const Graph& program, std::size_t number) {
  GraphBuilder builder;
  GraphCopy copy(program, builder, {.keep = [](NodeId) { return false; }});
  const NodeId output = program.outputs()[number];
  PET_CHECK(copy.make_inputs().ok() && copy.make(output).ok(), "a copy of what is there");
  builder.add_output(copy.at(output));
  return std::move(builder).build();
}

}  // namespace

std::optional<ShownInstances::Look> ShownInstances::look(const rules::Use& use,
                                                         const rules::Instance& instance) {
  const auto known = known_.find(use);
  if (known != known_.end()) return Look{known->second, false, {}};
  Look out;
  out.verdict = checked(instance);
  if (stop_.stop_requested()) return std::nullopt;
  out.is_equal = out.verdict.outcome == Outcome::Equivalent;
  out.is_new = true;
  known_.emplace(use, out.is_equal);
  return out;
}

// Output by output where that is enough; else all at once, as files are proved.
Verdict ShownInstances::checked(const rules::Instance& instance) {
  for (std::size_t i = 0; i < instance.source.outputs().size(); ++i) {
    const auto wrong = checker_.not_shown_equal(with_output(instance.source, i),
                                                with_output(instance.target, i), stop_);
    if (wrong && wrong->empty()) continue;
    ProofOptions options;
    options.floats = Floats::None;  // of the written file it is asked
    options.log2_error = log2_error_;
    options.bind_weights = true;
    options.threads = threads_;
    options.stop = stop_;
    return checker_.check(instance.source, instance.target, options);
  }
  Verdict out;
  out.outcome = Outcome::Equivalent;
  return out;
}

}  // namespace pet
