// The mutants of one subprogram, round by round (PET, Algorithm 2): those of the subprogram itself,
// then those of what was kept of them, taken apart into subsets of their operators.
#pragma once

#include <deque>
#include <optional>
#include <set>

#include "core/program/mutate/generator.h"
#include "core/program/split.h"
#include "core/search/heap.h"

namespace pet {

// A mutant, and how it came about.
struct Proposal {
  Graph program;
  Lineage lineage;
};

class MutantStream {
 public:
  // Later rounds start from many programs: `later_steps` nodes of the tree for each.
  MutantStream(const Graph& subprogram, const GeneratorConfig& config, std::size_t later_steps,
               MutantGenerator::Trace trace);

  bool step();  // one node of a tree, or the next tree; false: the round is over
  bool has_mutant() const { return generator_ && generator_->has_mutant(); }
  // The next one; nothing where it does not fit into what is around it. REQUIRES: has_mutant()
  std::optional<Proposal> take();
  // The next number, for what is made of a mutant outside of the stream.
  MutantId new_id() { return MutantId(ids_++); }
  // Goes on from candidates that no round has started from: those. None: the round is over.
  std::vector<MutantId> next_round(const std::vector<Candidate>& kept, const SplitOptions& split);
  std::size_t round() const { return round_; }
  // What is left of the tree in work will not be walked.
  void leave_tree();
  GeneratorCounters counters() const;  // of all rounds

 private:
  // Operators of a mutant that are mutated once more.
  struct Source {
    Graph whole;
    Lineage lineage;
    Subprogram part;
  };
  std::optional<Proposal> in_place(Mutant mutant);
  MutantGenerator::Trace trace_of_next_tree();

  GeneratorConfig later_;
  const MutantGenerator::Trace trace_;
  std::size_t trees_ = 0;     // that were begun
  GeneratorCounters before_;  // of the trees that were left
  std::optional<MutantGenerator> generator_;
  std::optional<Source> source_;  // nothing in the first round
  std::deque<Source> sources_;
  std::set<Digest> started_;
  std::size_t round_ = 0;
  std::size_t ids_ = 0;
};

}  // namespace pet
