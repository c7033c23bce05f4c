// The flags of pet-verify on a command line: those of `compare`, and kinds of values for others.
#pragma once

#include <CLI/CLI.hpp>

#include "app/common/shape_flags.h"
#include "app/pet-verify/options.h"

namespace pet::app {

// For CLI11: what parse_error_bound(), parse_seed() and parse_seconds() take.
CLI::Validator is_error_bound();
CLI::Validator is_seed();
CLI::Validator is_duration();

// The flags of `compare`, added to its command line; read once that was parsed, for it holds
// references to what is in here.
class CompareFlags {
 public:
  explicit CompareFlags(CLI::App& app);
  CompareFlags(const CompareFlags&) = delete;
  CompareFlags& operator=(const CompareFlags&) = delete;

  // Draws the seed where none was given.
  Result<Options> read() const;

 private:
  void add_question(CLI::App& app);
  void add_answer(CLI::App& app);
  void add_report(CLI::App& app);
  void add_of_a_pair(CLI::App& app);
  void add_of_a_batch(CLI::App& app);
  Status check_published() const;
  Result<std::vector<SizeRange>> size_ranges(const Options& options) const;

  Options options_;  // what needs no reading
  std::vector<std::string> files_;
  ShapeFlags shapes_;
  std::vector<std::string> sizes_;
  std::string error_ = "2^-64";
  std::string timeout_;
  std::string limits_;
  std::string weights_ = "symbols";
  std::string outputs_ = "by-name";
  std::string format_ = "text";
  std::string seed_;
  std::string shard_ = "1/1";
};

}  // namespace pet::app
