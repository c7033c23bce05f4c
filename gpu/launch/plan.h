// A program as an ordered list of launches over buffers.
//
// Every buffer but the constants has a place in one arena. Launches that are made once come first
// in time, whatever their place in the list: their results stay.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/launch/launch.h"

namespace pet::gpu {

enum class Role { Input, Constant, Value };

struct Buffer {
  Role role = Role::Value;
  Dim elements = 0;
  std::string name;                        // of an input, or of the value, for people
  std::shared_ptr<const Tensor> constant;  // of a constant
  bool stays = false;                      // made once, or an input or output: alive all the time
  std::size_t first = 0;                   // launch that writes it, and the last that reads it
  std::size_t last = 0;
  std::optional<BufferId> over = {};  // the buffer whose place it takes, element by element
  std::size_t offset = 0;             // in the arena, in bytes; of constants none

  std::size_t bytes() const { return static_cast<std::size_t>(elements) * sizeof(float); }
};

struct Plan {
  std::vector<Buffer> buffers;
  std::vector<Launch> launches;
  std::vector<BufferId> inputs;  // in the program's order; inputs that nothing needs are there too
  std::vector<BufferId> outputs;
  std::size_t arena = 0;  // bytes

  const Buffer& buffer(BufferId id) const { return buffers[id.index()]; }
};

// Bytes that a launch must move: what it reads, each buffer once, and what it writes.
std::size_t bytes_of(const Plan& plan, const Launch& launch);

// For people: a line a launch (and the kernels' insides), with offsets.
std::string to_string(const Plan& plan);
// All that decides how a library computes it: the same text, the same work.
std::string identity_of(const Launch& launch);
// "conv 64x3x7x7 stride 2 on 1x3x224x224, bias, relu"
std::string in_words(const Launch& launch);

}  // namespace pet::gpu
