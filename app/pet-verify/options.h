// The options of pet-verify compare, and how values are written that other commands take as well.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "verify/files/file_proof.h"
#include "verify/pairs/engines.h"

namespace pet::app {

enum class Format { Text, Json, Junit };

// Of the pairs of a batch, counted from 1, every `of`th.
struct Shard {
  std::size_t number = 1;
  std::size_t of = 1;
};

// Every size of a dimension from `low` to `high`.
struct SizeRange {
  std::string name;
  Dim low = 0;
  Dim high = 0;
};

struct Options {
  std::vector<std::filesystem::path> files;  // two models, or cases, folders of them and manifests
  ReadOptions reading;
  FileProofOptions proof;
  std::uint64_t seed = 0;  // of the proofs: given, or drawn by parse_command_line
  bool seed_given = false;
  std::string engine;         // that gives the verdict; empty: as engines.h has it
  bool as_published = false;  // the theorem's engine without its checks: no evidence of anything
  EngineLimits limits;
  std::optional<double> timeout_seconds;  // of a pair
  Format format = Format::Text;
  std::vector<SizeRange> sizes;  // at each of which every pair is looked at
  bool all_batches = false;      // equal for every batch, or unknown
  bool all_sizes = false;        // equal at all sizes of what the files leave open, or unknown
  bool quiet = false;            // nothing is said of what is equal, or as expected
  bool verbose = false;          // of many places each is told
  bool bitmap = false;
  std::filesystem::path regions;  // files to write; empty: not
  std::filesystem::path witness;
  std::filesystem::path certificate;
  std::filesystem::path reduce;
  std::filesystem::path bundle = ".";  // where a disagreement between engines is kept
  // Of a batch:
  std::size_t jobs = 1;
  Shard shard;
  std::filesystem::path report;  // its lines, as they come; empty: not
  bool resume = false;           // go on after the lines that `report` has
  std::filesystem::path cache;   // verdicts kept from one run to another; empty: not
};

// "2^-64" or a number below 1, as log2.
std::optional<double> parse_error_bound(const std::string& text);

std::optional<std::uint64_t> parse_seed(const std::string& text);

// Where the programs of a case are written, for the certificate to speak of.
std::pair<std::filesystem::path, std::filesystem::path> certified_programs(const Options& options);
// Everything that a pair may be written to.
std::vector<std::filesystem::path> outputs_of_pair(const Options& options);

// "2/5"
std::optional<Shard> parse_shard(const std::string& text);

// "N=1..8", or "N=4"
std::optional<SizeRange> parse_size_range(const std::string& text);

// "steps=1000000"
std::optional<EngineLimits> parse_limits(const std::string& text);

// From here on all proofs are those of this seed.
void set_seed(Options& options, std::uint64_t seed);

}  // namespace pet::app
