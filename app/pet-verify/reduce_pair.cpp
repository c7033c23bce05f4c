#include "app/pet-verify/reduce_pair.h"

#include <fmt/format.h>

#include "app/common/command_line.h"
#include "app/common/files.h"
#include "core/onnx/text.h"
#include "core/util/deadline.h"
#include "core/util/printable.h"
#include "verify/reduce/reducer.h"

namespace pet::app {
namespace {

using reduce::Pair;

Result<std::vector<Pair>> starts(const Question& question, const ProofOptions& proof) {
  if (question.files.size() == 1) {
    const auto programs = read_case(question.files[0], question.reading);
    if (!programs) return programs.error();
    return std::vector<Pair>{{programs->original.graph, programs->mutant.graph}};
  }
  const auto original = read_model(question.files[0], question.reading);
  if (!original) return original.error();
  const auto mutant = read_model(question.files[1], question.reading);
  if (!mutant) return mutant.error();
  return reduce::starts_of(*original, *mutant, proof);
}

// Engines may disagree about a program and itself.
void add_programs_themselves(std::vector<Pair>& starts) {
  const Pair both = starts.front();
  starts.push_back({both.original, both.original});
  starts.push_back({both.mutant, both.mutant});
}

// What the case has to be asked with, beside its name.
std::string flags_of(const Options& options) {
  std::string out;
  if (!options.engine.empty()) out += " --engine " + options.engine;
  if (options.limits.steps) out += fmt::format(" --limits steps={}", *options.limits.steps);
  if (options.proof.proof.bind_weights) out += " --weights bound";
  return out;
}

// Comments: what the case expects nobody has said yet.
std::string head(const reduce::Reduced& found, const Question& question, const Options& options,
                 const FileVerdict& verdict) {
  const std::string says =
      verdict.engines_disagree ? "the engines disagree" : std::string(to_string(verdict.outcome));
  return fmt::format("# Made by pet-verify{} --reduce from {}, {} operators\n# verdict: {}\n",
                     flags_of(options), printable(question.name), found.from.operators, says);
}

}  // namespace

std::optional<std::string> nothing_to_reduce(const Answer& answer) {
  if (!answer.verdict) return "what cannot be read is not made smaller";
  if (answer.is_out_of_time)
    return "no answer in time is no failure that could be kept; give more time";
  if (reduce::failure_of(*answer.verdict)) return std::nullopt;
  return fmt::format("the pair is {}: there is no failure to be kept",
                     to_string(answer.verdict->outcome));
}

Status reduce_pair(const Question& question, const Options& options, const Answer& answer,
                   std::span<Engine* const> engines, const std::stop_token& stop) {
  std::optional<Deadline> deadline;
  if (options.timeout_seconds) deadline.emplace(*options.timeout_seconds, stop);
  ProofOptions proof = options.proof.proof;
  proof.stop = deadline ? deadline->token() : stop;
  auto begin = starts(question, proof);
  if (!begin) return std::move(begin).error();
  if (answer.verdict->engines_disagree) add_programs_themselves(*begin);
  const auto found = reduce::reduced(*begin, *answer.verdict, engines, proof);
  if (!found && stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  if (!found) return Error(found.error()).within("--reduce");
  const std::string text = head(*found, question, options, *answer.verdict) + found->text;
  if (auto done = write_text(options.reduce, text); !done) return done;
  say(fmt::format(
      "pet-verify: {}: from {} operators and {} elements to {} and {}, {} pairs tried{}\n",
      printable(options.reduce.string()), found->from.operators, found->from.elements,
      found->to.operators, found->to.elements, found->tries,
      found->is_finished ? "" : "; not finished"));
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  return Done{};
}

}  // namespace pet::app
