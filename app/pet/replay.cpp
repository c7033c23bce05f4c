#include "core/run/replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "app/common/progress.h"
#include "app/pet/commands.h"
#include "app/pet/resuming.h"
#include "app/pet/stopping.h"
#include "core/util/overloaded.h"
#include "core/util/printable.h"
#include "verify/pairs/search_checker.h"

namespace pet::app {
namespace {

struct ReplayOptions {
  std::string journal, model;
  std::optional<std::size_t> trace;
};

void tell(const TraceNode& node) {
  std::string line =
      fmt::format("{:<14} {}", fmt::join(node.path, "."), node.is_program ? "program" : "node");
  if (!node.moves.empty()) line += fmt::format(" \"{}\"", printable(in_words(node.moves)));
  if (node.pruned) line += fmt::format(": pruned, {}", to_string(*node.pruned));
  if (node.tested > 0) line += fmt::format("; {} positions tested", node.tested);
  fmt::print("{}\n", line);
}

// Programs are told of by the events that name them.
void tell(const Event& event) {
  if (std::holds_alternative<ProgramShown>(event) || std::holds_alternative<SearchStarted>(event))
    return;
  fmt::print("  {}\n", printable(line_of(event)));
}

int tell_trace(const Model& model, const JournalContent& journal, std::size_t number,
               const std::stop_token& stop) {
  SearchChecker checker;
  const bool found = trace(
      model, journal, number, checker,
      [](const TraceStep& step) { std::visit([](const auto& e) { tell(e); }, step); }, stop);
  if (!found)
    return fail(
        {fmt::format("--trace {}: the search has no such subprogram", number), ErrorKind::Usage});
  return stop.stop_requested() ? kStopped : kDone;
}

// Of a search by rules: every event of one block, or of the whole where there are none; those that
// no journal holds as well.
int tell_block(const Model& model, const JournalContent& journal, std::size_t number,
               const std::stop_token& stop) {
  SearchChecker checker;
  std::optional<std::size_t> block;
  bool found = false;
  const auto result = replay(
      model, journal, checker, stop, [](auto, auto) {},
      [&](const Event& event) {
        if (const auto* taken = std::get_if<BlockTaken>(&event)) block = taken->block;
        if (std::holds_alternative<SearchStarted>(event) || block.value_or(0) != number) return;
        found = true;
        fmt::print("{}\n", printable(line_of(event)));
      });
  if (result.failure) return fail(*result.failure);
  if (stop.stop_requested()) return kStopped;
  if (!found)
    return fail(
        {fmt::format("--trace {}: the search has no such block", number), ErrorKind::Usage});
  return kDone;
}

int run(const ReplayOptions& options) {
  const auto journal = read_journal(options.journal);
  if (!journal) return fail(journal.error());
  if (auto current = check_current(*journal); !current)
    return fail(std::move(current).error().within(printable(options.journal)));
  const auto model =
      model_of(journal->header, options.model.empty() ? journal->header.model : options.model);
  if (!model) return fail(model.error());
  const Stopping stopping;
  const bool is_of_mutants = std::holds_alternative<SearchConfig>(journal->header.config);
  if (options.trace && !is_of_mutants)
    return tell_block(*model, *journal, *options.trace, stopping.search());
  if (options.trace) return tell_trace(*model, *journal, *options.trace, stopping.search());
  SearchChecker checker;
  const Progress progress;
  const ReplayResult result =
      replay(*model, *journal, checker, stopping.search(), [&](std::size_t equal, std::size_t all) {
        progress.show(fmt::format("{} of {} events were the same so far", equal, all));
      });
  progress.clear();
  if (stopping.asked_once()) return kStopped;
  if (result.failure) return fail(*result.failure);
  if (result.difference) {
    fmt::print("different after {} equal events, {}\n", result.events, *result.difference);
    return kNotEqual;
  }
  fmt::print("equal: {} events{}\n", result.events,
             result.has_end ? "" : "; the journal ends before its search did");
  return kDone;
}

}  // namespace

Command add_replay(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "replay", "runs the search of a journal again, with its measurements: is it the same?");
  auto o = std::make_shared<ReplayOptions>();
  command->add_option("journal", o->journal, "as pet optimize --journal writes it")->required();
  command->add_option("--model", o->model, "the model, where it is elsewhere by now");
  command->add_option("--trace", o->trace,
                      "print instead how the generator walked through this subprogram; of a search "
                      "by rules, all that happened in this block (0 where there is one only)");
  return [o] { return run(*o); };
}

}  // namespace pet::app
