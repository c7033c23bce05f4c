#include "core/search/planner.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/cost/analytic.h"
#include "core/util/median.h"

namespace pet {
namespace {

double bytes_of(const Shape& shape) { return 4 * static_cast<double>(count(shape)); }

double bytes_around(const Subprogram& place) {
  double bytes = 0;
  const Graph& program = place.program;
  for (const auto* side : {&program.inputs(), &program.outputs()})
    for (const NodeId id : *side)
      if (const auto& shape = program.node(id).type.shape) bytes += bytes_of(*shape);
  return std::max(1.0, bytes);
}

bool asks_for(const Alternative& made, const AxisOrder& order) {
  const auto has = [&](const std::vector<AxisOrder>& side) {
    return std::find(side.begin(), side.end(), order) != side.end();
  };
  return has(made.inputs) || has(made.outputs);
}

// Other orders than a file's own that places could keep values in, by rank.
std::map<std::size_t, std::set<AxisOrder>> other_orders(
    const std::vector<PlaceAlternatives>& places) {
  std::map<std::size_t, std::set<AxisOrder>> out;
  for (const PlaceAlternatives& place : places) {
    for (const Alternative& made : place.alternatives) {
      for (const auto* side : {&made.inputs, &made.outputs}) {
        for (const AxisOrder& order : *side)
          if (!is_identity(order)) out[order.size()].insert(order);
      }
    }
  }
  return out;
}

// One order for each rank, in every combination.
std::vector<std::vector<AxisOrder>> one_a_rank(
    const std::map<std::size_t, std::set<AxisOrder>>& orders) {
  std::vector<std::vector<AxisOrder>> out = {{}};
  for (const auto& [rank, some] : orders) {
    std::vector<std::vector<AxisOrder>> longer;
    for (const auto& combination : out) {
      for (const AxisOrder& order : some) {
        longer.push_back(combination);
        longer.back().push_back(order);
      }
    }
    out = std::move(longer);
  }
  return out;
}

}  // namespace

void Planner::add(std::size_t number, Measured measured) {
  measured_[number].push_back(std::move(measured));
}

std::vector<Candidate> Planner::best_of(std::size_t number, std::size_t at_most) const {
  std::vector<std::size_t> good;
  for (std::size_t i = 0; i < measured_[number].size(); ++i)
    if (saved_ms(number, i) > 0) good.push_back(i);
  std::stable_sort(good.begin(), good.end(), [&](std::size_t a, std::size_t b) {
    return saved_ms(number, a) > saved_ms(number, b);
  });
  good.resize(std::min(good.size(), at_most));
  std::vector<Candidate> out;
  for (const std::size_t i : good) out.push_back(measured_[number][i].candidate);
  return out;
}

void Planner::drop(const Unchecked& which) {
  auto& all = measured_[which.number];
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(which.index));
}

double Planner::transpose_ms(const Shape& shape, const AxisOrder& order) const {
  const auto it = borders_.find({shape, order});
  if (it != borders_.end()) return it->second;
  constexpr double kSlowerThanCopying = 3;
  return machine_.ms_per_operator +
         kSlowerThanCopying * 2 * bytes_of(shape) / machine_.bytes_per_ms;
}

double Planner::original_ms(std::size_t number, bool in_own_orders) const {
  std::vector<double> ms;
  for (const Measured& measured : measured_[number])
    if (keeps_orders(measured.candidate) == in_own_orders)
      ms.push_back(median(measured.comparison.timing.a_ms));
  return median(std::move(ms));
}

double Planner::original_ms(std::size_t number) const {
  std::vector<double> ms;
  for (const Measured& measured : measured_[number])
    ms.push_back(median(measured.comparison.timing.a_ms));
  return median(std::move(ms));
}

double Planner::most_saved_ms(std::size_t number, bool in_own_orders) const {
  double most = 0;
  for (std::size_t i = 0; i < measured_[number].size(); ++i)
    if (keeps_orders(measured_[number][i].candidate) == in_own_orders)
      most = std::max(most, saved_ms(number, i));
  return most;
}

double Planner::layout_ms_per_byte() const {
  std::vector<double> rates;
  for (const auto& [number, ms] : layouts_)
    rates.push_back(ms / bytes_around(classes_[number].representative()));
  return median(std::move(rates));
}

double Planner::layout_ms(std::size_t number) const {
  const auto it = layouts_.find(number);
  if (it != layouts_.end()) return it->second;
  return layout_ms_per_byte() * bytes_around(classes_[number].representative());
}

std::optional<std::size_t> Planner::unmeasured_layout() const {
  const Pool from = pool(Orders::Any);
  for (const auto& [place, alternative] : select(from).made) {
    const Pool::Meant& meant = from.meant[place];
    const Candidate& made = measured_[meant.number][meant.indices[alternative]].candidate;
    if (!keeps_orders(made) && !layouts_.contains(meant.number)) return meant.number;
  }
  return std::nullopt;
}

// Measurements that lie apart in time differ in how fast the machine was, ratios do not. What keeps
// values in other orders was compared with an original that found them in row-major order, too; of
// the way from and to the layout of the neighbours each side of a border is charged half.
double Planner::saved_ms(std::size_t number, std::size_t index) const {
  const Measured& measured = measured_[number][index];
  const bool in_own_orders = keeps_orders(measured.candidate);
  const double ms = original_ms(number, in_own_orders) * (1 - 1 / measured.comparison.ratio.median);
  return in_own_orders ? ms : ms - layout_ms(number) / 2;
}

// What may be used of a class. What keeps orders competes with the original alone and has to be
// faster than it; what does not may be worth having for its neighbours' sake.
std::vector<Planner::Option> Planner::options(std::size_t number, Orders orders,
                                              const std::vector<Expected>& waiting) const {
  std::vector<Option> out;
  const auto add = [&](const Candidate& candidate, double ms, std::size_t index) {
    if (keeps_orders(candidate) ? ms <= 0 : orders == Orders::Kept) return;
    out.push_back({{ms, candidate.inputs, candidate.outputs},
                   index,
                   candidate.cost,
                   original_ms(number, keeps_orders(candidate))});
  };
  for (std::size_t i = 0; i < measured_[number].size(); ++i) {
    const Measured& measured = measured_[number][i];
    const bool certain = keeps_orders(measured.candidate)
                             ? measured.comparison.decision == Decision::Faster
                             : measured.comparison.ratio.low > 1;
    const double ms = saved_ms(number, i);
    add(measured.candidate, certain ? ms : std::min(0.0, ms), i);
  }
  for (std::size_t w = 0; w < waiting.size(); ++w)
    if (waiting[w].number == number)
      add(*waiting[w].candidate, waiting[w].saved_ms, measured_[number].size() + w);
  // Times that are nearly the same differ by chance: the estimate decides between them.
  constexpr double kNearly = 0.03;
  std::vector<Option> kept;
  std::copy_if(out.begin(), out.end(), std::back_inserter(kept), [&](const Option& mine) {
    return std::none_of(out.begin(), out.end(), [&](const Option& other) {
      return other.made.inputs == mine.made.inputs && other.made.outputs == mine.made.outputs &&
             (other.cost < mine.cost || (other.cost == mine.cost && other.index < mine.index)) &&
             other.made.saved_ms >= mine.made.saved_ms - kNearly * other.original_ms;
    });
  });
  return kept;
}

// Other orders are of use where something is saved in one of them.
Planner::Pool Planner::pool(Orders orders, const std::vector<Expected>& waiting) const {
  std::vector<std::vector<Option>> of;
  std::set<AxisOrder> wanted;
  for (std::size_t number = 0; number < classes_.size(); ++number) {
    of.push_back(options(number, orders, waiting));
    for (const Option& option : of.back()) {
      if (option.made.saved_ms <= 0) continue;
      for (const auto* side : {&option.made.inputs, &option.made.outputs})
        std::copy_if(side->begin(), side->end(), std::inserter(wanted, wanted.end()),
                     [](const AxisOrder& order) { return !is_identity(order); });
    }
  }
  const auto is_wanted = [&](const Alternative& made) {
    const auto some = [&](const std::vector<AxisOrder>& side) {
      return std::any_of(side.begin(), side.end(),
                         [&](const AxisOrder& order) { return wanted.contains(order); });
    };
    return made.saved_ms > 0 || some(made.inputs) || some(made.outputs);
  };
  Pool out;
  for (std::size_t number = 0; number < classes_.size(); ++number) {
    std::vector<Alternative> alternatives;
    Pool::Meant meant{number, {}};
    for (Option& option : of[number]) {
      if (!is_wanted(option.made)) continue;
      alternatives.push_back(std::move(option.made));
      meant.indices.push_back(option.index);
    }
    if (alternatives.empty()) continue;
    for (const Subprogram& place : classes_[number].places) {
      out.places.push_back({&place, alternatives});
      out.meant.push_back(meant);
    }
  }
  return out;
}

// Between places in two different orders every value is transposed, and what that costs the runtime
// beyond the copy no excerpt shows; in one order throughout it is done at the two ends. So a
// program has one other order for values of each rank.
Selection Planner::select(const Pool& pool) const {
  constexpr double kNever = -1e12;
  const auto orders = other_orders(pool.places);
  const double per_byte = layout_ms_per_byte();
  Selection best;
  for (const auto& allowed : one_a_rank(orders)) {
    std::vector<PlaceAlternatives> places = pool.places;
    for (PlaceAlternatives& place : places) {
      for (Alternative& made : place.alternatives) {
        for (const auto& [rank, some] : orders) {
          const bool asks = std::any_of(some.begin(), some.end(), [&](const AxisOrder& order) {
            return asks_for(made, order) &&
                   std::find(allowed.begin(), allowed.end(), order) == allowed.end();
          });
          if (asks) made.saved_ms = kNever;
        }
      }
    }
    Selection found = choose(program_, places, [&](const Shape& shape, const AxisOrder& order) {
      return transpose_ms(shape, order) + per_byte * bytes_of(shape) / 2;
    });
    if (found.saved_ms > best.saved_ms) best = std::move(found);
  }
  return best;
}

std::optional<Planner::Border> Planner::unmeasured_border() const {
  for (const auto& [value, shape, order] : select(pool(Orders::Any)).transposed) {
    Border border{shape, order};
    if (!borders_.contains(border)) return border;
  }
  return std::nullopt;
}

std::optional<std::size_t> Planner::wanted(const std::vector<Expected>& waiting) const {
  const Pool from = pool(Orders::Any, waiting);
  std::map<std::size_t, double> saved_ms;  // by what waits, in all places
  for (const auto& [place, alternative] : select(from).made) {
    const Pool::Meant& meant = from.meant[place];
    const std::size_t measured = measured_[meant.number].size();
    const std::size_t index = meant.indices[alternative];
    if (index >= measured)
      saved_ms[index - measured] += from.places[place].alternatives[alternative].saved_ms;
  }
  const auto most =
      std::max_element(saved_ms.begin(), saved_ms.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == saved_ms.end()) return std::nullopt;
  return most->first;
}

std::optional<Planner::Unchecked> Planner::unchecked() const {
  for (const Orders orders : {Orders::Any, Orders::Kept}) {
    const Pool from = pool(orders);
    for (const auto& [place, alternative] : select(from).made) {
      const Pool::Meant& meant = from.meant[place];
      const std::size_t index = meant.indices[alternative];
      if (measured_[meant.number][index].candidate.right != Candidate::Right::Everywhere)
        return Unchecked{meant.number, index};
    }
  }
  return std::nullopt;
}

std::optional<Plan> Planner::plan(Orders orders) const {
  const Pool from = pool(orders);
  const Selection selection = select(from);
  Plan out{{}, selection.saved_ms};
  for (const auto& [place, alternative] : selection.made) {
    const Pool::Meant& meant = from.meant[place];
    const std::size_t index = meant.indices[alternative];
    const Measured& measured = measured_[meant.number][index];
    const Subprogram& there = *from.places[place].place;
    auto program =
        transfer(measured.candidate.program, classes_[meant.number].representative(), there);
    if (!program) continue;
    out.choices.push_back({meant.number, program_.node(there.outputs[0]).name,
                           measured.candidate.lineage, saved_ms(meant.number, index),
                           measured.comparison.ratio, *std::move(program), there.inputs,
                           there.outputs});
  }
  if (out.choices.empty()) return std::nullopt;
  return out;
}

std::vector<Plan> Planner::plans() const {
  std::vector<Plan> out;
  const auto is_known = [&](const Plan& plan) {
    return std::any_of(out.begin(), out.end(), [&](const Plan& other) {
      return std::equal(plan.choices.begin(), plan.choices.end(), other.choices.begin(),
                        other.choices.end(), [](const Choice& a, const Choice& b) {
                          return a.place == b.place && a.mutant.id == b.mutant.id;
                        });
    });
  };
  for (const Orders orders : {Orders::Any, Orders::Kept}) {
    auto made = plan(orders);
    if (made && !is_known(*made)) out.push_back(*std::move(made));
  }
  if (out.empty() || out.front().choices.size() < 2) return out;
  Plan half = out.front();
  std::stable_sort(half.choices.begin(), half.choices.end(),
                   [](const Choice& a, const Choice& b) { return a.saved_ms > b.saved_ms; });
  half.choices.resize(half.choices.size() / 2);
  out.push_back(std::move(half));
  return out;
}

}  // namespace pet
