#include "viz/session/search_thread.h"

#include <catch2/catch.hpp>

#include "core/backend/estimating_profiler.h"
#include "core/search/pet_search.h"
#include "datasets/models/models.h"
#include "tests/support/scratch_folder.h"
#include "tests/viz/session/loop.h"
#include "verify/pairs/search_checker.h"

namespace pet::viz {
namespace {

using State = SearchThread::State;

// A search of the pair of convolutions, times estimated.
class Estimated final : public DrivenRun {
 public:
  Estimated(const Model& model, const RunWires& wires)
      : events_(wires.events), run_(model, config(), ports(wires)) {}
  Run& run() override { return run_; }
  // Stages, and then whether there was anything; it goes on until it is cancelled where the name
  // says so.
  Result<ExportedFile> export_best(const std::filesystem::path& target,
                                   const std::stop_token& stop) override {
    events_(StageStarted{Stage::Proving, 0});
    while (target == "slow.onnx" && !stop.stop_requested()) std::this_thread::yield();
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    ExportedFile out;
    out.written.path = target;
    out.places = run_.best().size();
    return out;
  }

 private:
  static RunConfig config() {
    RunConfig out;
    out.target_name = "estimates";
    SearchConfig search;
    search.rounds = 1;
    search.worth_measuring = search.worth_in_other_orders = 6;
    search.generator.moves = 1;
    search.generator.max_steps = 12;
    out.search = search;
    return out;
  }
  RunPorts ports(const RunWires& wires) {
    RunPorts out{checker_, profiler_, wires.stop};
    out.events = wires.events;
    out.now = wires.now;
    out.make_search = [nodes = wires.nodes](const Model& model, std::string target,
                                            const AnySearchConfig& config, SearchPorts search) {
      auto made = std::make_unique<PetSearch>(model, std::move(target), pet_config(config),
                                              std::move(search));
      made->set_trace(nodes);
      return made;
    };
    return out;
  }
  const EventSink events_;
  SearchChecker checker_;
  EstimatingProfiler profiler_;
  Run run_;
};

// A search in a thread, and what its owner sees of it.
class Watched {
 public:
  explicit Watched(bool fails = false) {
    REQUIRE(datasets::build_model({.name = "pair"}, folder_ / "pair.onnx").ok());
    auto model = read_model(folder_ / "pair.onnx");
    REQUIRE(model.ok());
    model_.emplace(*std::move(model));
    thread_.emplace(
        [this, fails](RunWires wires) -> Result<std::unique_ptr<DrivenRun>> {
          if (fails) return Error{"no such runtime"};
          return std::unique_ptr<DrivenRun>(std::make_unique<Estimated>(*model_, wires));
        },
        [this] {
          loop_.post()([this] {
            for (LogEntry& entry : (news_ = thread_->take()).entries) log_.add(std::move(entry));
            if (news_.exported) exported_ = std::move(news_.exported);
          });
        });
  }
  SearchThread& thread() { return *thread_; }
  // Until it stands there.
  void go(Goal goal) {
    thread_->go(std::move(goal));
    news_.state = State::Running;
    wait_for(State::Paused);
  }
  // As an owner does that has just ordered something.
  void expect_news() { news_.state = State::Running; }
  void wait_for(State state) {
    loop_.run_until([&] { return news_.state == state; });
  }
  Result<ExportedFile> wait_for_export() {
    loop_.run_until([&] { return exported_.has_value(); });
    return *std::exchange(exported_, std::nullopt);
  }
  const SearchLog& log() const { return log_; }
  const SearchThread::News& news() const { return news_; }

 private:
  const testing::ScratchFolder folder_;
  std::optional<Model> model_;
  Loop loop_;
  SearchLog log_;
  SearchThread::News news_;
  std::optional<Result<ExportedFile>> exported_;
  std::optional<SearchThread> thread_;
};

TEST_CASE("A search stands at its beginning, goes as far as it is told to, and ends") {
  Watched watched;
  watched.wait_for(State::Paused);
  CHECK(watched.log().size() == 1);
  watched.go({Grain::Node, {}});
  const std::size_t after_one = watched.log().size();
  CHECK(after_one > 1);
  watched.go({Grain::Node, [](const Event& e) {
                const auto* kept = std::get_if<CandidateKept>(&e);
                return kept != nullptr && kept->in_part;
              }});
  REQUIRE_FALSE(watched.log().mutants().empty());
  CHECK(watched.log().mutants().back().in_part);
  CHECK(watched.log().nodes().size() > 3);
  watched.thread().go_on();
  watched.wait_for(State::Done);
  const auto* end = watched.log().event(watched.log().size() - 1);
  REQUIRE(end != nullptr);
  CHECK(std::holds_alternative<SearchFinished>(*end));
}

TEST_CASE(
    "What a search has found is exported between two steps, after the end, and cancelled at once") {
  Watched watched;
  watched.wait_for(State::Paused);
  const auto exported = [&](const char* to) {
    watched.thread().export_best(to);
    return watched.wait_for_export();
  };
  REQUIRE(exported("early.onnx").ok());
  watched.wait_for(State::Paused);
  watched.thread().export_best("slow.onnx");
  watched.thread().cancel_export();
  const auto cancelled = watched.wait_for_export();
  REQUIRE_FALSE(cancelled.ok());
  CHECK(cancelled.error().kind == ErrorKind::Stopped);
  watched.thread().go_on();
  watched.wait_for(State::Done);
  const auto late = exported("late.onnx");
  REQUIRE(late.ok());
  CHECK(late->written.path == "late.onnx");
  watched.wait_for(State::Done);
  const auto* stage = watched.log().event(watched.log().size() - 1);
  CHECK(std::holds_alternative<StageStarted>(*stage));
  // One that is closed meanwhile ends at once.
  watched.thread().export_best("slow.onnx");
}

TEST_CASE("A search that is stopped says so, and one that cannot begin says why") {
  Watched stopped;
  stopped.wait_for(State::Paused);
  stopped.thread().stop();
  stopped.wait_for(State::Done);
  const auto* end = stopped.log().event(stopped.log().size() - 1);
  CHECK(std::get<SearchFinished>(*end).reason == StopReason::Stopped);
  Watched failed(true);
  failed.wait_for(State::Failed);
  CHECK(failed.news().why == "no such runtime");
}

TEST_CASE("A search that is paused before it has taken up the order to go on is paused") {
  Watched watched;
  watched.wait_for(State::Paused);
  for (int i = 0; i < 100; ++i) {
    watched.thread().go_on();
    watched.expect_news();
    watched.thread().pause();
    watched.wait_for(State::Paused);
  }
}

TEST_CASE("What is ordered of a search that is over changes nothing") {
  Watched watched;
  watched.wait_for(State::Paused);
  watched.thread().go_on();
  watched.wait_for(State::Done);
  for (const auto& order : std::vector<std::function<void(SearchThread&)>>{
           [](SearchThread& t) { t.stop(); }, [](SearchThread& t) { t.go_on(); },
           [](SearchThread& t) { t.go({}); }}) {
    order(watched.thread());
    watched.expect_news();
    watched.wait_for(State::Done);
  }
}

TEST_CASE("Searches that are paused, run and closed at any time end") {
  for (int i = 0; i < 6; ++i) {
    Watched watched;
    if (i > 0) watched.wait_for(State::Paused);
    watched.thread().go_on();
    if (i % 3 == 1) watched.thread().pause();
    if (i % 3 == 2) watched.wait_for(State::Done);
  }
  SUCCEED();
}

}  // namespace
}  // namespace pet::viz
