// cancel_bench [A.onnx B.onnx]: how long a proof goes on after it was asked to stop, at moments
// spread over the time that it takes. Of two files, or else of a layer and a mutant of it. Two
// threads.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "core/onnx/model.h"
#include "core/program/mutate/generator.h"
#include "tests/bench/layers.h"
#include "verify/files/file_proof.h"
#include "verify/pairs/bitmap_checker.h"

using namespace pet;

namespace {

using Clock = std::chrono::steady_clock;
using Proof = std::function<Outcome(const ProofOptions& options)>;

constexpr int kStops = 24;

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

struct Run {
  double took = 0;        // seconds
  double after_stop = 0;  // of these
  Outcome outcome = Outcome::Unknown;
};

// Asked to stop after so many seconds.
Run run(const Proof& proof, double stop_after) {
  std::stop_source stop;
  ProofOptions options;
  options.threads = 2;
  options.stop = stop.get_token();
  Run out;
  Clock::time_point asked{};
  const auto start = Clock::now();
  {
    const std::jthread timer([&](const std::stop_token& done) {
      while (!done.stop_requested() && seconds(Clock::now() - start) < stop_after)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (done.stop_requested()) return;
      asked = Clock::now();
      stop.request_stop();
    });
    out.outcome = proof(options);
  }
  const auto end = Clock::now();
  out.took = seconds(end - start);
  out.after_stop = asked == Clock::time_point{} ? 0 : seconds(end - asked);
  return out;
}

void measure(const Proof& proof) {
  constexpr double kNever = 1e9;
  const Run whole = run(proof, kNever);
  fmt::print("{} in {:.2f} s\n", to_string(whole.outcome), whole.took);
  std::vector<std::pair<double, double>>
      after;  // milliseconds, and the seconds that it was asked after
  for (int i = 0; i < kStops; ++i) {
    const double moment = whole.took * (i + 0.5) / kStops;
    const Run stopped = run(proof, moment);
    if (stopped.outcome != whole.outcome) after.emplace_back(1000 * stopped.after_stop, moment);
  }
  std::sort(after.begin(), after.end());
  if (after.empty()) return;
  fmt::print(
      "{} stops: {:.1f} ms at the median, {:.1f} ms at most (after {:.2f} s); {} came too late\n",
      after.size(), after[after.size() / 2].first, after.back().first, after.back().second,
      kStops - static_cast<int>(after.size()));
}

int measure_files(const char* first, const char* second) {
  const auto a = read_model(first);
  const auto b = read_model(second);
  for (const auto* model : {&a, &b}) {
    if (*model) continue;
    fmt::print(stderr, "cancel_bench: {}\n", model->error().message);
    return 2;
  }
  measure([&](const ProofOptions& options) {
    return prove_files(*a, *b, FileProofOptions{options, OutputMatch::ByName}).outcome;
  });
  return 0;
}

void measure_layer() {
  const Graph layer = bench::conv({16, 64, 56, 56}, {64, 64, 3, 3}, {{"pads", Ints{1, 1, 1, 1}}});
  const auto mutant = MutantGenerator(layer).next();
  measure([&](const ProofOptions& options) {
    return BitmapChecker().check(layer, mutant->program, options).outcome;
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) return measure_files(argv[1], argv[2]);
  if (argc == 1) {
    measure_layer();
    return 0;
  }
  fmt::print(stderr, "usage: cancel_bench [A.onnx B.onnx]\n");
  return 2;
}
