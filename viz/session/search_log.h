// What a search told, in order, and what is to be seen of it up to a cursor: going back is moving
// the cursor. Rows are made once, as their first entry comes, and say since which entry they are
// there; what became of them is a list of entries. So a cursor anywhere costs no more than one at
// the end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/search/events.h"
#include "core/search/mutant_maker.h"

namespace pet::viz {

// A node of a subprogram's trees, or a program of one.
struct TracedNode {
  std::size_t subprogram = 0;
  TraceNode node;
};

struct LogEntry {
  std::variant<Event, TracedNode> what;
  double seconds = 0;  // since the search began
};

// What became of a mutant, as far as a filter asks.
enum class Fate {
  Proposed,
  Discarded,
  Kept,
  Dropped,
  Equal,     // checked: everywhere
  Partial,   // checked: wrong in part
  Wrong,     // checked: not equal anywhere, or not decided
  Measured,  // not faster by enough to tell
  Faster,    // measured
  Failed     // to be measured
};
std::string_view to_string(Fate fate);

class SearchLog {
 public:
  struct SubprogramRow {
    std::size_t since = 0;
    SubprogramFound found;
  };
  struct MutantRow {
    std::size_t since = 0;
    std::size_t subprogram = 0;
    Lineage lineage;
    std::vector<std::size_t> changes;  // entries about it
    bool in_part = false;              // its fingerprint agreed in part
  };
  struct NodeRow {
    std::size_t since = 0;
    std::size_t subprogram = 0;
    std::optional<std::size_t> parent;  // a row; nothing: a root of its tree
    std::size_t place = 0;              // among the children of its parent, or the roots
    std::vector<std::size_t> children;  // rows, as they came
    std::optional<std::size_t> mutant;  // a row, of the program that was proposed
    TraceNode node;
  };

  void add(LogEntry entry);
  void clear() { *this = {}; }

  std::size_t size() const { return entries_.size(); }
  const LogEntry& entry(std::size_t number) const { return entries_[number]; }
  // The event of an entry; nullptr: it is a node.
  const Event* event(std::size_t number) const {
    return std::get_if<Event>(&entries_[number].what);
  }

  // All rows; those of the first `count_at(rows, cursor)` are there at a cursor.
  const std::deque<SubprogramRow>& subprograms() const { return subprograms_; }
  const std::deque<MutantRow>& mutants() const { return mutants_; }
  const std::deque<NodeRow>& nodes() const { return nodes_; }
  const std::vector<std::size_t>& roots(std::size_t subprogram) const;  // rows of nodes

  std::optional<std::size_t> row_of(std::size_t subprogram, MutantId mutant) const;
  Fate fate_of(const MutantRow& row, std::size_t cursor) const;
  // The last entry about it below the cursor that is an `E`; nullptr: there is none.
  template <class E>
  const E* last_of(const MutantRow& row, std::size_t cursor) const {
    for (auto i = row.changes.rbegin(); i != row.changes.rend(); ++i) {
      if (*i >= cursor) continue;
      if (const auto* found = std::get_if<E>(event(*i))) return found;
    }
    return nullptr;
  }
  // The mutant and what it was made of, the first ancestor first, as far as each is known. An Error
  // where that does not tell which program it was.
  Result<std::vector<Wanted>> line_of(const MutantRow& row) const;
  // The mutant's own program, or the subprogram's where nothing was shown of it.
  const SubprogramFound* subprogram(std::size_t number) const;

  // How many of rows in order of `since` are there at a cursor.
  template <class Rows>
  static std::size_t count_at(const Rows& rows, std::size_t cursor) {
    return static_cast<std::size_t>(
        std::ranges::partition_point(rows, [&](const auto& r) { return r.since < cursor; }) -
        rows.begin());
  }

 private:
  using Key = std::pair<std::size_t, MutantId>;
  void hear(const Event& event, std::size_t number);
  void hear(const TracedNode& traced, std::size_t number);
  void mention(std::size_t subprogram, const Lineage& lineage, std::size_t number);
  void change(std::size_t subprogram, MutantId mutant, std::size_t number);
  void find_its_node(std::size_t row);
  std::vector<Move> moves_to(std::size_t node) const;
  Result<Wanted> wanted(const MutantRow& row) const;

  // Of one subprogram, while it is walked.
  struct Walk {
    std::size_t tree = 0;
    std::map<std::vector<std::size_t>, std::size_t> nodes;  // rows, by path
    std::deque<std::size_t> unclaimed;                      // programs that may be proposed
    std::vector<std::size_t> roots;
  };

  std::deque<LogEntry> entries_;
  std::deque<SubprogramRow> subprograms_;
  std::deque<MutantRow> mutants_;
  std::deque<NodeRow> nodes_;
  std::map<Key, std::size_t> by_id_;
  std::map<std::size_t, Walk> walks_;
};

}  // namespace pet::viz
