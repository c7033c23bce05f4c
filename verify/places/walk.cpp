#include "verify/places/walk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "core/eval/element_steps.h"
#include "core/program/point_reader.h"
#include "verify/bitmap/bitmap_engine.h"
#include "verify/places/claims.h"
#include "verify/places/views.h"
#include "verify/region/region_engine.h"
#include "verify/symmetry/symmetry.h"
#include "verify/values/step_limit.h"
#include "verify/values/totality.h"

namespace pet::places {
namespace {

// Of looking at single positions of a place: milliseconds.
constexpr std::uint64_t kMostProducts = std::uint64_t{1} << 22;
constexpr std::size_t kPositions = 16;
constexpr double kMostSteps = 0x1p22;
// Of evaluating a place at all its positions modulo one prime: a second or less.
constexpr double kMostEvaluated = 0x1p28;
// Claims that were not refuted at single positions and yet not shown: each takes seconds.
constexpr std::size_t kMostInVain = 6;
// Of writing a place out, before symmetry is asked: some hundredths of a second.
constexpr std::size_t kFewSteps = 20'000;

// Whether the two pieces of a place are seen to differ somewhere.
bool is_refuted(const Place& place) {
  for (const Graph* piece : {&place.original, &place.mutant}) {
    if (!(steps_of_element(*piece, piece->outputs()[0]) <= kMostSteps)) return false;
  }
  Rng rng(1);
  const DrawnLeaves drawn(place.original, rng);
  PointReader first(drawn, place.original, kMostProducts);
  PointReader second(drawn, place.mutant, kMostProducts);
  const Dim elements = count(*place.original.node(place.original.outputs()[0]).type.shape);
  for (std::size_t i = 0; i < kPositions && elements > 0; ++i) {
    const auto at = static_cast<Dim>(rng.below(static_cast<std::uint64_t>(elements)));
    const auto x = first.value(0, at);
    const auto y = second.value(0, at);
    if (!x || !y) return false;  // not known
    if (*x != *y) return true;
  }
  return false;
}

// Whether the mutant's piece applies functions that are not defined everywhere just as the
// original's does. Whoever only compares results does not see that 1/c - 1/c is none for c = 0.
bool is_defined_alike(const Place& place) {
  ValueTable table(place.original, place.mutant, ValueTable::Weights::Symbols);
  while (table.next_of_mutant()) continue;
  return std::ranges::none_of(place.mutant.ids(), [&](NodeId id) {
    return applies_partial_function(place.mutant, id) && table.is_new(table.of_mutant(id));
  });
}

bool is_same(const Place& a, const Place& b) {
  return a.boundary == b.boundary && a.operators == b.operators && a.replaced_by == b.replaced_by;
}

class Walk {
 public:
  Walk(const Graph& original, const Graph& mutant, const ProofOptions& options)
      : original_(original),
        mutant_(mutant),
        options_(options),
        log2_error_(options.log2_error - std::log2(static_cast<double>(1 + mutant.nodes().size()))),
        claims_(original, mutant),
        out_{.table = ValueTable(original, mutant, ValueTable::Weights::Symbols),
             .places = {},
             .joins = {},
             .open = {}},
        sides_{original,
               mutant,
               out_.table,
               original.depends_on_inputs(),
               mutant.depends_on_inputs(),
               std::vector<char>(original.nodes().size() + mutant.nodes().size(), 0)} {}

  Result<Walked> run() {
    for (const NodeId id : mutant_.ids()) {
      if (options_.stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      options_.progress(
          "places", static_cast<double>(id.index()) / static_cast<double>(mutant_.nodes().size()));
      const ValueId value = *out_.table.next_of_mutant();
      out_.numbered = id.index() + 1;
      if (sides_.varies_mutant[id.index()] == 0) continue;
      if (out_.table.is_new(value)) {
        if (const auto theirs = rearranged(id)) {
          out_.table.join(value, out_.table.of_original(*theirs));
          out_.joins.push_back({*theirs, id, varying_operands(id)});
        } else if (is_sum_of_products(mutant_, id, sides_.varies_mutant)) {
          show(value, id);
        } else {
          return open_at(id);  // what follows from it is not shown either
        }
      } else if (const NodeId theirs = out_.table.value(value).node;
                 !is_same_operator(theirs, id)) {
        out_.joins.push_back({theirs, id, varying_operands(id)});
      }
      const ValueId now = out_.table.of_mutant(id);
      if (!out_.table.is_new(now)) sides_.held[now.index()] = 1;
    }
    for (std::size_t i = 0; i < mutant_.outputs().size(); ++i) {
      const NodeId mine = mutant_.outputs()[i];
      if (out_.table.of_mutant(mine) != out_.table.of_original(original_.outputs()[i]))
        return open_at(mine);
    }
    out_.all = true;
    return std::move(out_);
  }

 private:
  std::vector<ValueId> varying_operands(NodeId mine) const {
    std::vector<ValueId> out;
    for (const NodeId operand : mutant_.node(mine).operands) {
      if (sides_.varies_mutant[operand.index()] != 0) out.push_back(out_.table.of_mutant(operand));
    }
    return out;
  }

  // Of two nodes that mean the same: whether that is told without asking what operators mean.
  bool is_same_operator(NodeId theirs, NodeId mine) const {
    const Op* a = original_.node(theirs).op();
    const Op* b = mutant_.node(mine).op();
    return (a == nullptr || b == nullptr) ? a == b : *a == *b;
  }

  // A node at which the walk ends: what is open is its value, or something that it reads.
  Result<Walked> open_at(NodeId id) {
    std::vector<NodeId> suspects = mutant_.node(id).operands;
    suspects.insert(suspects.begin(), id);
    for (const NodeId suspect : suspects) {
      const auto it = open_.find(suspect);
      if (it == open_.end()) continue;
      out_.open = std::move(it->second);
      break;
    }
    return std::move(out_);
  }

  // What the operator yields, where the original has it on the same values in other orders of axes.
  std::optional<NodeId> rearranged(NodeId mine) const {
    const auto& claims = claims_.of(mine);
    const auto it =
        std::ranges::find_if(claims, [&](NodeId theirs) { return is_moved_result(theirs, mine); });
    return it == claims.end() ? std::nullopt : std::optional(*it);
  }

  bool is_moved_result(NodeId theirs, NodeId mine) const {
    const auto order = order_of(original_, theirs);
    if (!order) return false;
    const NodeId base = original_.node(theirs).operands[0];
    if (!original_.has_meaning(base) || !mutant_.has_meaning(mine)) return false;
    const auto& a = original_.node(base).operands;
    const auto& b = mutant_.node(mine).operands;
    std::vector<AxisOrder> orders;
    for (std::size_t k = 0; k < a.size() && a.size() == b.size(); ++k) {
      auto order_there = order_of_operand(a[k], out_.table.of_mutant(b[k]));
      if (!order_there) return false;
      orders.push_back(*std::move(order_there));
    }
    return a.size() == b.size() &&
           is_rearranged(original_.meaning(base), mutant_.meaning(mine), *order, orders);
  }

  // In which order a value has the axes of one of the original's, of which it is moved elements.
  std::optional<AxisOrder> order_of_operand(NodeId theirs, ValueId value) const {
    const auto& shape = original_.node(theirs).type.shape;
    if (!shape) return std::nullopt;
    AxisOrder moved(shape->size());  // of `theirs`, against what it was moved from so far
    std::iota(moved.begin(), moved.end(), 0);
    for (NodeId from = theirs; out_.table.of_original(from) != value;) {
      const auto order = order_of(original_, from);
      if (!order) return std::nullopt;
      for (std::int64_t& axis : moved) axis = (*order)[static_cast<std::size_t>(axis)];
      from = original_.node(from).operands[0];
    }
    return inverse(moved);
  }

  void show(ValueId value, NodeId mine) {
    std::optional<OpenPlace> open;
    for (const NodeId theirs : claims_.of(mine)) {
      if (sides_.varies[theirs.index()] == 0) continue;
      std::optional<Place> last;
      for (const Extent extent : {Extent::Least, Extent::AsFarAsRead, Extent::Most}) {
        auto place = cut_out(sides_, theirs, mine, extent);
        if (!place || (last && is_same(*last, *place))) continue;
        last = *place;
        if (auto shown = proof_of(*place)) {
          out_.table.join(value, out_.table.of_original(theirs));
          out_.places.push_back({theirs, mine, *std::move(place), std::move(shown->by),
                                 shown->log2_error, shown->primes});
          out_.joins.push_back({theirs, mine, out_.places.back().place.boundary});
          return;
        }
        if (!open) open = OpenPlace{theirs, mine, *std::move(place)};
      }
    }
    if (open) open_.emplace(mine, *std::move(open));
  }

  struct Shown {
    std::string by;
    double log2_error = 0;
    std::size_t primes = 0;
  };

  std::optional<Shown> proof_of(const Place& place) {
    if (in_vain_ >= kMostInVain || is_seen_to_differ(place)) return std::nullopt;
    ProofOptions how;
    how.stop = options_.stop;
    if (is_shown_by_region(place, kFewSteps)) return of_region();
    if (is_defined_alike(place)) {
      const auto compared = by_symmetry(place);
      if (compared && !compared->are_equal) return std::nullopt;
      if (compared) return Shown{"symmetry", compared->log2_error, compared->primes};
    }
    if (is_shown_by_region(place, RegionEngine::kMostSteps)) return of_region();
    if (evaluation_steps(place.original) + evaluation_steps(place.mutant) <= kMostEvaluated) {
      how.log2_error = log2_error_;
      how.proof_seed = options_.proof_seed;
      how.seed_is_fresh = options_.seed_is_fresh;
      how.threads = options_.threads;
      how.memory_bytes = options_.memory_bytes;
      const Asking asking(options_, "places at every position");
      const Verdict verdict = BitmapEngine().check(place.original, place.mutant, how);
      if (verdict.outcome == Outcome::Equivalent)
        return Shown{"bitmap", verdict.log2_error, verdict.primes};
    }
    ++in_vain_;
    return std::nullopt;
  }

  bool is_seen_to_differ(const Place& place) const {
    const Asking asking(options_, "places at some positions");
    return is_refuted(place);
  }

  Result<symmetry::Compared> by_symmetry(const Place& place) const {
    const Asking asking(options_, "places by symmetry");
    symmetry::Options how;
    how.log2_error = log2_error_;
    how.secret = Digester("place")
                     .add(*options_.proof_seed)
                     .add(place.original.digest())
                     .add(place.mutant.digest())
                     .finish();
    how.threads = options_.threads;
    how.stop = options_.stop;
    return symmetry::compare(place.original, place.mutant, how);
  }

  bool is_shown_by_region(const Place& place, std::size_t most_steps) const {
    const Asking asking(options_, "places by boxes");
    ProofOptions how;
    how.stop = options_.stop;
    const auto open = not_shown_equal(place.original, place.mutant, how, most_steps);
    return open && std::ranges::all_of(*open, [](const Region& region) { return region.empty(); });
  }
  static Shown of_region() { return {"region", -std::numeric_limits<double>::infinity()}; }

  const Graph& original_;
  const Graph& mutant_;
  const ProofOptions& options_;
  const double log2_error_;  // of one place: together they are to promise what was asked for
  const Claims claims_;
  Walked out_;
  Sides sides_;
  std::map<NodeId, OpenPlace> open_;  // by node of the mutant
  std::size_t in_vain_ = 0;
};

}  // namespace

Result<Walked> walk(const Graph& original, const Graph& mutant, const ProofOptions& options) {
  return Walk(original, mutant, options).run();
}

bool may_round_twice(const Graph& original, const Graph& mutant, const Walked& walked) {
  const auto varies = mutant.depends_on_inputs();
  std::map<ValueId, NodeId> holders;
  for (const NodeId id : mutant.ids()) {
    const ValueId value = walked.table.of_mutant(id);
    if (varies[id.index()] == 0 || walked.table.is_new(value)) continue;
    if (!holders.emplace(value, id).second) return true;
  }
  // An operator of the original that stands in a place is computed there, and nowhere else.
  std::set<NodeId> computed;
  for (const ShownPlace& shown : walked.places) {
    for (const NodeId id : shown.place.operators) {
      if (is_data_movement(original.meaning(id))) continue;
      if (!computed.insert(id).second) return true;
      if (id == shown.original) continue;
      const auto holder = holders.find(walked.table.of_original(id));
      if (holder != holders.end() &&
          !std::ranges::binary_search(shown.place.replaced_by, holder->second))
        return true;
    }
  }
  return false;
}

}  // namespace pet::places
