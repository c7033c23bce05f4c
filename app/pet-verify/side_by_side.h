// Many tasks at once, told in order.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace pet::app {

// Which tasks: [first, count), so many at a time.
struct Tasks {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t jobs = 1;
};

// `make_worker` is called once a thread and gives what makes a T of a number. `tell(number, T)` is
// called for one after the other, in order, never at once from two threads, until it says false.
// Nothing is begun or told once `stopped` says so.
template <class T, class MakeWorker, class Tell, class Stopped>
void side_by_side(const Tasks& tasks, const MakeWorker& make_worker, const Tell& tell,
                  const Stopped& stopped) {
  std::atomic<std::size_t> next = tasks.first;
  std::atomic<bool> ended = false;
  std::mutex mutex;
  std::size_t told = tasks.first;
  std::map<std::size_t, T> waiting;
  const auto run = [&] {
    auto work = make_worker();
    for (std::size_t i = next++; i < tasks.count && !stopped() && !ended; i = next++) {
      T made = work(i);
      const std::lock_guard lock(mutex);
      if (stopped() || ended) return;
      waiting.emplace(i, std::move(made));
      while (!waiting.empty() && waiting.begin()->first == told) {
        auto now = waiting.extract(waiting.begin());
        ++told;
        if (!tell(now.key(), std::move(now.mapped()))) {
          ended = true;
          return;
        }
      }
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < tasks.jobs; ++t) threads.emplace_back(run);
}

}  // namespace pet::app
