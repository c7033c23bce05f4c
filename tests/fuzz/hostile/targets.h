// What pet-verify does with files of each kind, in this process: it reads them as the command does
// and, where that succeeds, asks the engines and writes the reports.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/util/rng.h"

namespace pet::fuzz {

struct InputFile {
  std::string name;
  std::string bytes;
};
using Input = std::vector<InputFile>;

struct Tally {
  std::atomic<std::uint64_t> refused = 0;  // cannot be read
  std::atomic<std::uint64_t> large = 0;    // read, and left alone
  std::atomic<std::uint64_t> read = 0;
  std::atomic<std::uint64_t> decided = 0;  // of these: a verdict that is not unknown
};

class Target {
 public:
  virtual ~Target() = default;

  // A hostile one; a function of the generator alone.
  virtual Input input(Rng& rng) const = 0;

  // What is wrong with what becomes of it; empty where nothing is.
  virtual std::string look(const Input& input, Tally& tally) = 0;
};

std::vector<std::string> target_names();

struct Folders {
  std::filesystem::path cases;  // of the repository
  std::filesystem::path rules;
  std::filesystem::path folder;  // to write into
};

// `largest`: what has more to compute (elements of values, of windows and of sums) is read only.
// REQUIRES: one of target_names()
std::unique_ptr<Target> target_called(std::string_view name, const Folders& folders,
                                      double largest);

}  // namespace pet::fuzz
