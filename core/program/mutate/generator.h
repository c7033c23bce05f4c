// Mutants: programs with the inputs and outputs of a subprogram that are not known to compute the
// same (PET, Algorithm 1). Depth by depth a tree of moves is walked; every node is a product with
// views around it and yields one program for each operator that computes such a product. What is
// proposed follows from the operators' meanings alone; whether and where it is right is found out
// afterwards.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "core/ir/graph.h"
#include "core/program/move.h"
#include "core/program/mutate/pruned.h"

namespace pet {

class Fingerprinter;
namespace mutation {
struct State;
class ComputedWeights;
}  // namespace mutation

struct Mutant {
  Graph program;
  std::vector<Move> moves;  // what was done, in order
};

struct GeneratorConfig {
  std::size_t depth = 4;          // activation operators: a chain of layout changes is one
  std::size_t moves = 3;          // on the way to a mutant
  std::size_t max_steps = 20000;  // nodes of the tree
  std::uint64_t seed = 0;         // of the fingerprint
  std::size_t positions = 16;     // that it looks at, of every output
};

struct GeneratorCounters {
  std::size_t nodes = 0;
  std::size_t programs = 0;  // distinct and of the right types
  std::size_t mutants = 0;
  std::array<std::size_t, kPrunedReasons> pruned = {};
};

// One node, or one program of a node, as the search came by it.
struct TraceNode {
  std::size_t tree = 0;           // of those that a search walks for one subprogram, in order
  std::vector<std::size_t> path;  // of a node: which child of which; its programs have the same
  std::vector<Move> moves;        // the last one; of a program: what made it of the node
  bool is_program = false;
  std::optional<Pruned> pruned;
  std::size_t tested = 0;  // positions of the fingerprint, the last of which agreed if not pruned
};

// The mutants of one subprogram, one after another, always in the same order: it depends on the
// subprogram and the config alone.
class MutantGenerator {
 public:
  using Trace = std::function<void(const TraceNode&)>;

  explicit MutantGenerator(const Graph& subprogram, GeneratorConfig config = {}, Trace trace = {});
  ~MutantGenerator();
  MutantGenerator(MutantGenerator&&) noexcept;
  MutantGenerator& operator=(MutantGenerator&&) noexcept;

  bool step();  // one node of the tree; false: there is none left, or no step
  bool has_mutant() const { return !waiting_.empty(); }  // next() needs no step
  std::optional<Mutant> next();                          // steps as far as needed
  const GeneratorCounters& counters() const { return counters_; }

 private:
  struct Entry;
  friend std::vector<Graph> made_by(const Graph& subprogram, std::span<const Move> moves);
  MutantGenerator(const Graph& subprogram, GeneratorConfig config, Trace trace,
                  std::optional<std::vector<Move>> towards);

  void enter(mutation::State state, std::vector<std::size_t> path);
  void expand(const Entry& entry);
  // `last`: what made it of the node.
  void offer(Mutant mutant, const std::vector<std::size_t>& path, std::vector<Move> last);
  std::optional<Pruned> judge(const Graph& program, std::size_t& tested);
  void record(TraceNode node);

  // Where normalisations are folded before anything else is done: the weights that follow.
  std::unique_ptr<const mutation::ComputedWeights> folded_;
  std::unique_ptr<const Graph> subprogram_;
  GeneratorConfig config_;
  Trace trace_;
  // Only what lies on the way to these moves is looked at, and no fingerprint.
  std::optional<std::vector<Move>> towards_;
  std::unique_ptr<Fingerprinter> fingerprinter_;  // from the first program on
  std::deque<std::unique_ptr<Entry>> open_;       // in order of depth, then of moves
  std::set<Digest> seen_nodes_;
  std::set<Digest> seen_programs_;
  std::deque<Mutant> waiting_;
  GeneratorCounters counters_;
  std::size_t steps_ = 0;
};

// The programs that just these moves make of a subprogram, right or wrong. Nothing: they cannot be
// made of it.
std::vector<Graph> made_by(const Graph& subprogram, std::span<const Move> moves);

}  // namespace pet
