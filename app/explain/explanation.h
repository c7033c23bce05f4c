// What a run of `pet optimize` did, as read from its report or its journal. Whatever is missing
// there is empty here: files of older versions, and ones that somebody edited, can be read.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/search_record.h"
#include "core/search/journal.h"
#include "core/util/result.h"

namespace pet::explain {

struct Speedup {
  double median = 1;
  std::optional<double> low, high;  // what it certainly is
};

// A program of one place. Constants that follow from others are one leaf, however they do.
struct Program {
  struct Leaf {
    std::string id, name, type;
    std::vector<std::string> from;     // constants of the original that it is computed from
    std::size_t operators = 0;         // by which
    std::optional<double> value = {};  // of one element, where it is fixed
  };
  struct Step {
    std::string id, op, type;
    std::vector<std::string> operands;
    bool is_view = false;  // moves elements, computes nothing
  };
  std::vector<Leaf> inputs, constants;
  std::vector<Step> steps;
  std::vector<std::string> outputs;
};

struct Layout {
  std::string value;
  std::vector<std::size_t> order;  // which axis of the value stands at each place
};

struct Correction {
  std::string wrong;  // boxes
  double share = 0;
};

struct Place {
  std::size_t subprogram = 0;
  std::string name;
  std::string mutant;
  std::vector<std::string> moves;
  double saved_ms = 0;
  Speedup ratio;
  std::optional<Correction> correction;
  Program before, after;
  std::vector<Layout> inputs, outputs;
};

struct Tried {
  std::string mutant, decision;
  Speedup ratio;
  double saved_ms = 0;
};

struct Subprogram {
  std::size_t number = 0;
  std::string operators, place;
  std::size_t places = 1;
  std::size_t nodes = 0;                    // of the generator's tree
  std::size_t generated = 0, distinct = 0;  // mutants that they yielded
  std::size_t proposed = 0;                 // of them, those that the search looked at
  std::size_t not_checked = 0;              // of those: nobody knows whether they are equal
  // At least so many; nothing where none is known and some were not checked.
  std::optional<std::size_t> equal, partial, corrected;
  std::map<std::string, std::size_t> pruned, discarded;  // by reason
  std::vector<Tried> measured;
  std::vector<std::string> failed;  // mutant and reason
};

struct Attempt {  // a file that came to nothing
  std::size_t mutants = 0;
  std::string reason;
  std::optional<Speedup> ratio;
};

struct Explanation {
  enum class Source { Report, Journal };
  Source source = Source::Report;
  std::string model, original, optimized, target, device, verdict, reason, stop;
  std::size_t threads = 0;
  bool changed = false;
  double original_ms = 0, optimized_ms = 0;  // 0: not known
  Speedup speedup;
  std::optional<double> log2_error;
  double growth = 1;
  std::size_t primes = 0, weight_programs = 0;
  double max_rel = 0;
  std::optional<double> max_rel_allowed, growth_allowed, search_budget_s, measuring_s;
  double bytes_original = 0, bytes_optimized = 0;
  std::size_t proposed = 0, verified = 0, measured = 0;
  std::size_t measured_afresh = 0, remembered = 0;
  std::map<std::string, std::size_t> operators_before, operators_after;
  std::map<std::string, double> seconds;  // by stage
  std::vector<Place> places;
  std::vector<Subprogram> subprograms;
  std::vector<Attempt> attempts;
  std::string without_programs;  // why the places of a journal are without theirs
};

// The places of the plan that a journal's run accepted, as reports have them; a journal names their
// programs, whoever has the model can make them once more. An Error says why it cannot be done.
using PlacesOfJournal = std::function<Result<nlohmann::ordered_json>(
    const JournalContent& journal, const PlanTried& plan, const SearchRecord& record)>;

// An Error where there is no file, or one that is neither a report nor a journal, or where
// `places_of` was stopped.
Result<Explanation> read_explanation(const std::filesystem::path& path,
                                     const PlacesOfJournal& places_of);

}  // namespace pet::explain
