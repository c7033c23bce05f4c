// cancel_bench A.onnx B.onnx [STOPS]: how long the proof that two files are equal goes on after it
// was asked to stop, at STOPS moments (40) spread over the time that it takes. Two threads.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "core/onnx/model.h"
#include "verify/file_proof.h"

using namespace pet;

namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

struct Run {
  double took = 0;
  double after_stop = 0;
  Outcome outcome = Outcome::Unknown;
};

// Asked to stop after so many seconds.
Run run(const Model& a, const Model& b, double stop_after) {
  std::stop_source stop;
  FileProofOptions how;
  how.proof.threads = 2;
  how.proof.stop = stop.get_token();
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
    out.outcome = prove_files(a, b, how).outcome;
  }
  const auto end = Clock::now();
  out.took = seconds(end - start);
  out.after_stop = asked == Clock::time_point{} ? 0 : seconds(end - asked);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    fmt::print(stderr, "usage: cancel_bench A.onnx B.onnx [STOPS]\n");
    return 2;
  }
  const auto a = read_model(argv[1]);
  const auto b = read_model(argv[2]);
  for (const auto* model : {&a, &b}) {
    if (*model) continue;
    fmt::print(stderr, "cancel_bench: {}\n", model->error().message);
    return 2;
  }
  const int stops = argc == 4 ? std::max(1, std::atoi(argv[3])) : 40;
  const Run whole = run(*a, *b, 1e9);
  fmt::print("{} in {:.2f} s\n", to_string(whole.outcome), whole.took);
  std::vector<double> after;
  int too_late = 0;
  for (int i = 0; i < stops; ++i) {
    const Run stopped = run(*a, *b, whole.took * (i + 0.5) / stops);
    if (stopped.outcome == whole.outcome)
      ++too_late;  // it had ended by then
    else
      after.push_back(1000 * stopped.after_stop);
  }
  if (after.empty()) return 0;
  std::sort(after.begin(), after.end());
  fmt::print("{} stops: {:.1f} ms at the median, {:.1f} ms at most; {} came too late\n",
             after.size(), after[after.size() / 2], after.back(), too_late);
  return 0;
}
