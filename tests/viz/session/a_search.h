// A short search, entry by entry, for tests of what shows it.
#pragma once

#include "viz/session/search_log.h"

namespace pet::viz {

inline Lineage lineage(std::size_t id, std::vector<Move> moves,
                       std::optional<MutantId> parent = {}) {
  return {MutantId(id), parent, 0, std::move(moves)};
}
inline LogEntry node(std::size_t tree, std::vector<std::size_t> path, std::vector<Move> moves,
                     bool is_program = false, std::optional<Pruned> pruned = {}) {
  return {TracedNode{0, {tree, std::move(path), std::move(moves), is_program, pruned, 0}}, 0};
}
inline LogEntry event(Event what) { return {std::move(what), 0}; }

inline const Move kJoin = move::Join{2, 0, 3, false};
inline const Move kCut = move::Cut{2, 2, false};

// One subprogram, two trees, three mutants of which one is corrected.
inline std::vector<LogEntry> a_search() {
  std::vector<LogEntry> out;
  out.push_back(event(SearchStarted{"m", "d", "estimates", 1, 1}));
  out.push_back(event(SubprogramFound{0, {"Conv"}, "y", 2, "p"}));
  out.push_back(node(0, {0}, {}));
  out.push_back(node(0, {0}, {}, true, Pruned::SeenProgram));
  out.push_back(node(0, {0, 0}, {kJoin}));
  out.push_back(node(0, {0, 1}, {kCut}, false, Pruned::SeenNode));
  out.push_back(node(0, {0, 0}, {}, true));
  out.push_back(event(MutantProposed{0, lineage(0, {kJoin})}));
  out.push_back(event(CandidateKept{0, MutantId(0), 1.5, {}, {}, {}, true}));
  out.push_back(event(MutantVerified{0, MutantId(0), "q", Outcome::Partial, true,
                                     Region{{{{4}}}, {{{0}, {1}}}}, 0.25, 0}));
  out.push_back(event(
      MutantShown{0, lineage(1, {kJoin, move::Correct{CorrectionWay::Recomputing}}, MutantId(0))}));
  out.push_back(
      event(MutantCorrected{0, MutantId(0), MutantId(1), "r", Outcome::Equivalent, true}));
  out.push_back(node(1, {0}, {}));
  out.push_back(node(1, {0}, {kCut}, true));
  out.push_back(
      event(MutantProposed{0, lineage(2, {kJoin, move::StartAgain{}, kCut}, MutantId(0))}));
  out.push_back(event(MutantDiscarded{0, MutantId(2), Discarded::CostsMore, {}, 9.0, {}}));
  return out;
}

// One tree, 20 nodes below each node, so many entries in all; every `each`-th node's mutant is
// proposed and kept (0: none is).
inline std::vector<LogEntry> a_large_search(std::size_t entries, std::size_t each) {
  std::vector<LogEntry> out;
  out.push_back(event(SearchStarted{"m", "d", "estimates", 1, 1}));
  out.push_back(event(SubprogramFound{0, {"Conv"}, "y", 1, "p"}));
  out.push_back(node(0, {0}, {}));
  std::vector<std::vector<std::size_t>> paths{{0}};
  std::size_t mutants = 0;
  for (std::size_t parent = 0; out.size() < entries; ++parent) {
    for (std::size_t child = 0; child < 20 && out.size() < entries; ++child) {
      auto path = paths[parent];
      path.push_back(child);
      out.push_back(node(0, path, {kJoin}));
      paths.push_back(std::move(path));
      if (each == 0 || paths.size() % each != 0) continue;
      out.push_back(event(MutantProposed{0, lineage(mutants, {kJoin})}));
      out.push_back(event(CandidateKept{0, MutantId(mutants++), 1.5, {}, {}, {}, false}));
    }
  }
  return out;
}

}  // namespace pet::viz
