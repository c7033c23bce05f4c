// What is put into the one stream: done at once, or recorded while a graph is.
#pragma once

#include <functional>
#include <vector>

namespace pet::fake {

struct Graph {
  std::vector<std::function<void()>> steps;
};

inline Graph* recording = nullptr;

inline void submit(std::function<void()> step) {
  if (recording != nullptr) {
    recording->steps.push_back(std::move(step));
  } else {
    step();
  }
}

}  // namespace pet::fake
