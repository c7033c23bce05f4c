#include "viz/session/search_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "core/util/overloaded.h"
#include "viz/words/events.h"

namespace pet::viz {
namespace {

Fate fate_after(const MutantVerified& e) {
  if (e.outcome == Outcome::Equivalent) return Fate::Equal;
  return e.outcome == Outcome::Partial ? Fate::Partial : Fate::Wrong;
}

// Nothing: the event changes nothing about the mutant.
std::optional<Fate> fate_after(const Event& event, MutantId mutant) {
  return std::visit(overloaded{[](const MutantProposed&) { return std::optional(Fate::Proposed); },
                               [](const MutantDiscarded& e) {
                                 // One way of correcting it was closed: it is what the check said.
                                 return e.way ? std::nullopt : std::optional(Fate::Discarded);
                               },
                               [](const CandidateKept&) { return std::optional(Fate::Kept); },
                               [](const CandidateDropped&) { return std::optional(Fate::Dropped); },
                               [](const MutantVerified& e) { return std::optional(fate_after(e)); },
                               [&](const MutantCorrected& e) {
                                 return e.corrected == mutant && e.outcome == Outcome::Equivalent
                                            ? std::optional(Fate::Equal)
                                            : std::nullopt;
                               },
                               [](const CandidateMeasured& e) {
                                 return std::optional(e.comparison.decision == Decision::Faster
                                                          ? Fate::Faster
                                                          : Fate::Measured);
                               },
                               [](const CandidateFailed&) { return std::optional(Fate::Failed); },
                               [](const auto&) { return std::optional<Fate>(); }},
                    event);
}

bool ends_with(const std::vector<Move>& all, const std::vector<Move>& end) {
  return end.size() <= all.size() &&
         std::ranges::equal(end, all | std::views::drop(all.size() - end.size()));
}

}  // namespace

std::string_view to_string(Fate fate) {
  switch (fate) {
    case Fate::Proposed:
      return "proposed";
    case Fate::Discarded:
      return "discarded";
    case Fate::Kept:
      return "kept";
    case Fate::Dropped:
      return "dropped";
    case Fate::Equal:
      return "equal";
    case Fate::Partial:
      return "wrong in part";
    case Fate::Wrong:
      return "not equal";
    case Fate::Measured:
      return "measured";
    case Fate::Faster:
      return "faster";
    case Fate::Failed:
      return "not measured";
  }
  return "?";
}

void SearchLog::add(LogEntry entry) {
  const std::size_t number = entries_.size();
  entries_.push_back(std::move(entry));
  std::visit([&](const auto& what) { hear(what, number); }, entries_.back().what);
}

void SearchLog::hear(const Event& event, std::size_t number) {
  std::visit(overloaded{[&](const SubprogramFound& e) {
                          subprograms_.push_back({number, e});
                        },
                        [&](const MutantProposed& e) {
                          mention(e.subprogram, e.mutant, number);
                          find_its_node(by_id_.at({e.subprogram, e.mutant.id}));
                        },
                        [&](const MutantShown& e) { mention(e.subprogram, e.mutant, number); },
                        [](const auto&) {}},
             event);
  if (const auto about = of_mutant(event)) change(about->subprogram, about->mutant, number);
  if (const auto* e = std::get_if<MutantCorrected>(&event))
    change(e->subprogram, e->corrected, number);
  if (const auto* e = std::get_if<CandidateKept>(&event)) {
    if (const auto row = row_of(e->subprogram, e->mutant)) mutants_[*row].in_part = e->in_part;
  }
}

void SearchLog::mention(std::size_t subprogram, const Lineage& lineage, std::size_t number) {
  if (by_id_.emplace(Key{subprogram, lineage.id}, mutants_.size()).second)
    mutants_.push_back({number, subprogram, lineage, {}, false});
}

void SearchLog::change(std::size_t subprogram, MutantId mutant, std::size_t number) {
  if (const auto row = row_of(subprogram, mutant)) mutants_[*row].changes.push_back(number);
}

void SearchLog::hear(const TracedNode& traced, std::size_t number) {
  Walk& walk = walks_[traced.subprogram];
  if (walk.tree != traced.node.tree) {
    walk.tree = traced.node.tree;
    walk.nodes.clear();
    walk.unclaimed.clear();
  }
  const std::size_t row = nodes_.size();
  std::vector<std::size_t> above = traced.node.path;
  // A program belongs to the node of its own path, unless it came of no node.
  if (!traced.node.is_program || !walk.nodes.contains(above)) above.pop_back();
  const auto parent = walk.nodes.find(above);
  NodeRow made{number, traced.subprogram, std::nullopt, 0, {}, std::nullopt, traced.node};
  if (parent != walk.nodes.end()) made.parent = parent->second;
  auto& siblings = made.parent ? nodes_[*made.parent].children : walk.roots;
  made.place = siblings.size();
  siblings.push_back(row);
  if (!traced.node.is_program) walk.nodes[traced.node.path] = row;
  if (traced.node.is_program && !traced.node.pruned) walk.unclaimed.push_back(row);
  nodes_.push_back(std::move(made));
}

// Programs are proposed in the order in which they were walked; one that does not fit into what is
// around it is not.
void SearchLog::find_its_node(std::size_t row) {
  MutantRow& mutant = mutants_[row];
  auto& unclaimed = walks_[mutant.subprogram].unclaimed;
  const auto is_its = [&](std::size_t node) {
    return ends_with(mutant.lineage.moves, moves_to(node));
  };
  const auto its = std::ranges::find_if(unclaimed, is_its);
  if (its == unclaimed.end()) return;
  nodes_[*its].mutant = row;
  unclaimed.erase(unclaimed.begin(), its + 1);
}

std::vector<Move> SearchLog::moves_to(std::size_t node) const {
  std::vector<const TraceNode*> path;
  for (std::optional<std::size_t> at = node; at; at = nodes_[*at].parent)
    path.push_back(&nodes_[*at].node);
  std::vector<Move> out;
  for (const TraceNode* one : path | std::views::reverse)
    out.insert(out.end(), one->moves.begin(), one->moves.end());
  return out;
}

const std::vector<std::size_t>& SearchLog::roots(std::size_t subprogram) const {
  static const std::vector<std::size_t> kNone;
  const auto walk = walks_.find(subprogram);
  return walk == walks_.end() ? kNone : walk->second.roots;
}

std::optional<std::size_t> SearchLog::row_of(std::size_t subprogram, MutantId mutant) const {
  const auto found = by_id_.find({subprogram, mutant});
  return found == by_id_.end() ? std::nullopt : std::optional(found->second);
}

Fate SearchLog::fate_of(const MutantRow& row, std::size_t cursor) const {
  for (const std::size_t number : row.changes | std::views::reverse) {
    if (number >= cursor) continue;
    if (const auto fate = fate_after(*event(number), row.lineage.id)) return *fate;
  }
  return Fate::Proposed;
}

// A journal names by its digest what was looked at closely; a live search told of every proposal,
// so that those with the same moves can be counted.
Result<Wanted> SearchLog::wanted(const MutantRow& row) const {
  Wanted out{row.lineage};
  for (const std::size_t number : row.changes) {
    const Event& told = *event(number);
    const auto* corrected = std::get_if<MutantCorrected>(&told);
    if (const auto* e = std::get_if<MutantVerified>(&told)) out.digest = e->program;
    if (const auto* e = std::get_if<CandidateMeasured>(&told)) out.digest = e->program;
    if (corrected != nullptr && corrected->corrected == row.lineage.id)
      out.digest = corrected->program;
  }
  if (!out.digest.empty()) return out;
  const bool is_proposed = std::ranges::any_of(row.changes, [&](std::size_t number) {
    return std::holds_alternative<MutantProposed>(*event(number));
  });
  if (!is_proposed)
    return Error{fmt::format("which program {} was is not written down; walk its subprogram again",
                             name_of(row.subprogram, row.lineage.id))};
  for (const MutantRow& other : mutants_) {
    if (&other == &row) break;
    if (other.subprogram == row.subprogram && other.lineage.parent == row.lineage.parent &&
        other.lineage.moves == row.lineage.moves)
      ++out.which;
  }
  return out;
}

Result<std::vector<Wanted>> SearchLog::line_of(const MutantRow& row) const {
  std::vector<Wanted> out;
  for (const MutantRow* at = &row; at != nullptr;) {
    auto known = wanted(*at);
    if (!known) return std::move(known).error();
    out.push_back(*std::move(known));
    const auto& parent = at->lineage.parent;
    if (!parent) break;
    const auto above = row_of(row.subprogram, *parent);
    // A journal that was written by hand may go round in circles.
    if (!above || !(*parent < at->lineage.id))
      return Error{fmt::format("what {} was made of is not written down",
                               name_of(at->subprogram, at->lineage.id))};
    at = &mutants_[*above];
  }
  std::ranges::reverse(out);
  return out;
}

const SubprogramFound* SearchLog::subprogram(std::size_t number) const {
  const auto row = std::ranges::find(subprograms_, number,
                                     [](const SubprogramRow& r) { return r.found.number; });
  return row == subprograms_.end() ? nullptr : &row->found;
}

}  // namespace pet::viz
