// What generated kernels use of CUDA, for other compilers: blocks that run one after another, whose
// threads run one after another and change places at barriers. Included by text that is compiled to
// try kernels without a device, by nothing else.
#pragma once

#include <ucontext.h>

#include <bit>
#include <cmath>
#include <vector>

#define __global__
#define __device__
#define __shared__ static  // of one block, and there is one at a time

namespace pet::dialect {

struct Place {
  unsigned x = 0;
};

inline float __int_as_float(int bits) { return std::bit_cast<float>(bits); }

// The threads of one block, each with a stack of its own.
class Block {
 public:
  template <class Body>
  void run(int threads, const Body& body);

  void wait();  // at a barrier, until all threads are there or at their end
  unsigned thread = 0;

 private:
  static constexpr std::size_t kStack = 64 * 1024;

  struct Fiber {
    ucontext_t context;
    std::vector<char> stack;
    bool ended = false;
  };

  template <class Body>
  static void enter();
  inline static const void* body_ = nullptr;

  std::vector<Fiber> fibers_;
  ucontext_t scheduler_;
};

inline Block block;
inline Place blockIdx, threadIdx;

template <class Body>
void Block::enter() {
  (*static_cast<const Body*>(body_))();
  block.fibers_[block.thread].ended = true;
  swapcontext(&block.fibers_[block.thread].context, &block.scheduler_);
}

template <class Body>
void Block::run(int threads, const Body& body) {
  body_ = &body;
  if (fibers_.size() < static_cast<std::size_t>(threads))
    fibers_.resize(static_cast<std::size_t>(threads));
  for (int t = 0; t < threads; ++t) {
    Fiber& fiber = fibers_[static_cast<std::size_t>(t)];
    fiber.stack.resize(kStack);
    fiber.ended = false;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    makecontext(&fiber.context, enter<Body>, 0);
  }
  for (bool alive = true; alive;) {
    alive = false;
    for (int t = 0; t < threads; ++t) {
      Fiber& fiber = fibers_[static_cast<std::size_t>(t)];
      if (fiber.ended) continue;
      thread = threadIdx.x = static_cast<unsigned>(t);
      swapcontext(&scheduler_, &fiber.context);
      alive = alive || !fiber.ended;
    }
  }
}

inline void Block::wait() { swapcontext(&fibers_[thread].context, &scheduler_); }

inline void __syncthreads() { block.wait(); }

// Threads that meet at no barrier need no stacks.
template <class Body>
void run(long long blocks, int threads, bool meets, const Body& body) {
  for (long long b = 0; b < blocks; ++b) {
    blockIdx.x = static_cast<unsigned>(b);
    if (meets) {
      block.run(threads, body);
      continue;
    }
    for (int t = 0; t < threads; ++t) {
      threadIdx.x = static_cast<unsigned>(t);
      body();
    }
  }
}

}  // namespace pet::dialect

using namespace pet::dialect;  // NOLINT: CUDA's names have no namespace
