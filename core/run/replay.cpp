#include "core/run/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/search/pet_search.h"
#include "core/search/recorded_costs.h"
#include "core/search/recorded_solver.h"
#include "core/util/printable.h"

namespace pet {
namespace {

// A line around the place where it differs from another.
std::string shown(const std::string& line, std::size_t place) {
  constexpr std::size_t kBefore = 60;
  constexpr std::size_t kMost = 300;
  const std::size_t name = std::min(line.size(), line.find(','));
  const std::size_t from = place < name + kBefore ? 0 : place - kBefore;
  const std::string start = from == 0 ? "" : line.substr(0, name) + ",...";
  const std::string end = from + kMost < line.size() ? "..." : "";
  return printable(start + line.substr(from, kMost) + end);
}

// Holds what happens against what the journal says happened.
class Comparer {
 public:
  Comparer(const JournalContent& content, std::size_t count) : content_(content), count_(count) {}

  void see(const Event& event) {
    if (!is_journaled(event) || out_.difference || is_done()) return;
    const auto& entry = content_.entries[out_.events];
    const std::string expected = line_of(entry.event);
    const std::string line = line_of(event);
    if (line == expected) {
      ++out_.events;
    } else {
      differ(entry.line, expected, line);
    }
  }
  void differ(std::size_t line, const std::string& expected, const std::string& seen) {
    const auto place = std::mismatch(expected.begin(), expected.end(), seen.begin(), seen.end());
    const auto at = static_cast<std::size_t>(place.first - expected.begin());
    out_.difference = fmt::format("line {}: the journal has {}\n  now it is {}", line,
                                  shown(expected, at), shown(seen, at));
  }
  bool is_done() const { return out_.events == count_; }
  std::size_t next_line() const { return content_.entries[out_.events].line; }
  const Event& next() const { return content_.entries[out_.events].event; }
  ReplayResult& out() { return out_; }

 private:
  const JournalContent& content_;
  std::size_t count_;
  ReplayResult out_;
};

// Where the search ended, and how many entries there are up to there.
std::pair<const SearchFinished*, std::size_t> end_of(const JournalContent& content) {
  for (std::size_t i = 0; i < content.entries.size(); ++i) {
    const auto* finished = std::get_if<SearchFinished>(&content.entries[i].event);
    if (finished != nullptr) return {finished, i + 1};
  }
  return {nullptr, content.entries.size()};
}

// Ends a search that asks for what was not recorded.
class Unrecorded final : public Profiler {
 public:
  Result<Comparison> compare(const std::filesystem::path&, const std::filesystem::path&,
                             std::stop_token) override {
    was_asked_ = true;
    return Error{"the journal has no such measurement", ErrorKind::Stopped};
  }
  bool was_asked() const { return was_asked_; }

 private:
  bool was_asked_ = false;
};

// Those of one subprogram: others may have asked the same.
JournalContent about(const JournalContent& content, std::size_t number) {
  JournalContent out{content.header, content.is_current, {}, {}};
  for (const auto& entry : content.entries) {
    const auto* measured = std::get_if<CandidateMeasured>(&entry.event);
    const auto* failed = std::get_if<CandidateFailed>(&entry.event);
    if ((measured != nullptr && measured->subprogram == number) ||
        (failed != nullptr && failed->subprogram == number))
      out.entries.push_back(entry);
  }
  return out;
}

}  // namespace

std::vector<RecordedComparison> recorded_comparisons(const JournalContent& content) {
  std::vector<RecordedComparison> out;
  for (const auto& entry : content.entries) {
    if (const auto* e = std::get_if<CandidateMeasured>(&entry.event)) {
      out.push_back({e->files, e->comparison});
    } else if (const auto* b = std::get_if<BorderMeasured>(&entry.event)) {
      out.push_back({b->files, b->comparison});
    } else if (const auto* f = std::get_if<CandidateFailed>(&entry.event)) {
      out.push_back({f->files, Error{f->why, f->kind}});
    } else if (const auto* g = std::get_if<BorderFailed>(&entry.event)) {
      out.push_back({g->files, g->error});
    } else if (const auto* l = std::get_if<LayoutMeasured>(&entry.event)) {
      out.push_back({l->files, l->comparison});
    } else if (const auto* n = std::get_if<LayoutFailed>(&entry.event)) {
      out.push_back({n->files, n->error});
    }
  }
  return out;
}

std::vector<RecordedComparison> recorded_file_comparisons(const JournalContent& content) {
  std::vector<RecordedComparison> out;
  for (const auto& entry : content.entries) {
    const auto* e = std::get_if<FileMeasured>(&entry.event);
    if (e != nullptr && !e->files.original.empty()) out.push_back({e->files, e->comparison});
  }
  return out;
}

std::optional<Ending> recorded_ending(const JournalContent& content) {
  for (const auto& entry : content.entries) {
    const auto* e = std::get_if<SearchFinished>(&entry.event);
    if (e != nullptr) return Ending{e->pieces, e->reason};
  }
  return std::nullopt;
}

std::vector<SolverAnswered> recorded_answers(const JournalContent& content) {
  std::vector<SolverAnswered> out;
  for (const auto& entry : content.entries)
    if (const auto* answer = std::get_if<SolverAnswered>(&entry.event)) out.push_back(*answer);
  return out;
}

std::vector<OperatorMeasured> recorded_operators(const JournalContent& content) {
  std::vector<OperatorMeasured> out;
  for (const auto& entry : content.entries)
    if (const auto* one = std::get_if<OperatorMeasured>(&entry.event)) out.push_back(*one);
  return out;
}

ReplayResult replay(const Model& model, const JournalContent& content, EquivalenceChecker& checker,
                    std::stop_token stop,
                    const std::function<void(std::size_t equal, std::size_t all)>& progress,
                    const EventSink& heard) {
  const auto [finished, count] = end_of(content);
  Comparer comparer(content, count);
  comparer.out().has_end = finished != nullptr;
  if (count == 0) return comparer.out();
  auto make_search = search_of(content.header.config);
  if (!make_search) {
    comparer.out().failure = std::move(make_search).error();
    return comparer.out();
  }
  ReplayProfiler profiler(recorded_comparisons(content), nullptr);
  RunConfig config;
  config.search = content.header.config;
  config.budget.whole_s = std::numeric_limits<double>::infinity();
  if (finished != nullptr) config.ending = Ending{finished->pieces, finished->reason};
  const auto* started = std::get_if<SearchStarted>(&content.entries.front().event);
  if (started != nullptr) config.target_name = started->target;
  StopRequests requests;
  const std::stop_callback passed_on(stop, [&] { requests.request(); });
  RunPorts ports{checker, profiler, requests};
  ports.make_search = *std::move(make_search);
  ReplayedSolver solver(recorded_answers(content), nullptr);
  ports.solver = &solver;
  ReplayedCosts costs(recorded_operators(content), nullptr, 1);
  ports.costs = &costs;
  // What a stop brings about stands in no journal.
  ports.events = [&](const Event& event) {
    if (stop.stop_requested()) return;
    heard(event);
    comparer.see(event);
  };
  Run run(model, std::move(config), std::move(ports));
  while (!comparer.out().difference && !comparer.is_done() && run.phase() != Run::Phase::Done) {
    const std::size_t before = comparer.out().events;
    run.step();
    if (comparer.out().events != before) progress(comparer.out().events, count);
  }
  if (!comparer.out().difference && !comparer.is_done() && !stop.stop_requested())
    comparer.differ(comparer.next_line(), line_of(comparer.next()), "nothing");
  return comparer.out();
}

bool trace(const Model& model, const JournalContent& content, std::size_t number,
           EquivalenceChecker& checker, const std::function<void(const TraceStep&)>& sink,
           std::stop_token stop) {
  const auto* config = std::get_if<SearchConfig>(&content.header.config);
  if (config == nullptr) return false;
  Unrecorded unrecorded;
  ReplayProfiler profiler(recorded_comparisons(about(content, number)), &unrecorded);
  PetSearch search(model, "", *config,
                   {checker, profiler, [&](const Event& event) { sink(event); }, stop});
  if (number >= search.progress().subprograms) return false;
  search.restrict_to(number);
  search.set_trace([&](std::size_t, const TraceNode& node) { sink(node); });
  while (search.step(Grain::Node) == StepStatus::Running && !unrecorded.was_asked()) {
  }
  return true;
}

}  // namespace pet
