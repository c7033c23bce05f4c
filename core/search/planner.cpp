#include "core/search/planner.h"

#include <algorithm>

#include "core/cost/analytic.h"

namespace pet {

bool keeps_orders(const Candidate& candidate) {
  const auto all_identity = [](const std::vector<AxisOrder>& orders) {
    return std::all_of(orders.begin(), orders.end(), is_identity);
  };
  return all_identity(candidate.arranged.inputs) && all_identity(candidate.arranged.outputs);
}

void Planner::add(std::size_t number, Measured measured) {
  measured_[number].push_back(std::move(measured));
}

std::vector<Candidate> Planner::best_of(std::size_t number, std::size_t at_most) const {
  std::vector<const Measured*> good;
  for (const Measured& measured : measured_[number])
    if (measured.saved_ms > 0) good.push_back(&measured);
  std::stable_sort(good.begin(), good.end(),
                   [](const Measured* a, const Measured* b) { return a->saved_ms > b->saved_ms; });
  good.resize(std::min(good.size(), at_most));
  std::vector<Candidate> out;
  for (const Measured* measured : good) out.push_back(measured->candidate);
  return out;
}

void Planner::drop(const Unchecked& which) {
  auto& all = measured_[which.number];
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(which.index));
}

double Planner::transpose_ms(const Shape& shape, const AxisOrder& order) const {
  const auto it = borders_.find({shape, order});
  if (it != borders_.end()) return it->second;
  const MachineModel machine;
  constexpr double kSlowerThanCopying = 3;
  const double bytes = 2 * 4 * static_cast<double>(count(shape));
  return machine.ms_per_operator + kSlowerThanCopying * bytes / machine.bytes_per_ms;
}

Planner::Pool Planner::pool(Trust trust, const std::vector<Expected>& waiting) const {
  Pool out;
  for (std::size_t number = 0; number < classes_.size(); ++number) {
    std::vector<Alternative> alternatives;
    Pool::Meant meant{number, {}};
    for (std::size_t i = 0; i < measured_[number].size(); ++i) {
      const Measured& measured = measured_[number][i];
      // What keeps orders competes with the original alone and has to be faster than it; what does
      // not may be worth having for its neighbours' sake.
      const bool own = keeps_orders(measured.candidate);
      if (own && measured.comparison.decision != Decision::Faster) continue;
      if (!own && trust == Trust::OwnOrders) continue;
      const bool doubtful = trust == Trust::Bounds && measured.comparison.ratio.low <= 1;
      alternatives.push_back({doubtful ? std::min(0.0, measured.saved_ms) : measured.saved_ms,
                              measured.candidate.arranged.inputs,
                              measured.candidate.arranged.outputs});
      meant.indices.push_back(i);
    }
    for (std::size_t w = 0; w < waiting.size(); ++w) {
      const auto& [of, candidate, saved_ms] = waiting[w];
      if (of != number || (saved_ms <= 0 && keeps_orders(*candidate))) continue;
      alternatives.push_back({saved_ms, candidate->arranged.inputs, candidate->arranged.outputs});
      meant.indices.push_back(measured_[number].size() + w);
    }
    if (alternatives.empty()) continue;
    for (const Subprogram& place : classes_[number].places) {
      out.places.push_back({&place, alternatives});
      out.meant.push_back(meant);
    }
  }
  return out;
}

Selection Planner::select(const Pool& pool) const {
  return choose(program_, pool.places, [&](const Shape& shape, const AxisOrder& order) {
    return transpose_ms(shape, order);
  });
}

std::optional<Planner::Border> Planner::unmeasured_border() const {
  for (const Trust trust : {Trust::Medians, Trust::Bounds}) {
    for (const auto& [value, shape, order] : select(pool(trust)).transposed) {
      Border border{shape, order};
      if (!borders_.contains(border)) return border;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> Planner::wanted(const std::vector<Expected>& waiting) const {
  const Pool from = pool(Trust::Medians, waiting);
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
  for (const Trust trust : {Trust::Medians, Trust::Bounds, Trust::OwnOrders}) {
    const Pool from = pool(trust);
    for (const auto& [place, alternative] : select(from).made) {
      const Pool::Meant& meant = from.meant[place];
      const std::size_t index = meant.indices[alternative];
      if (measured_[meant.number][index].candidate.right != Candidate::Right::Everywhere)
        return Unchecked{meant.number, index};
    }
  }
  return std::nullopt;
}

std::optional<Plan> Planner::plan(Trust trust) const {
  const Pool from = pool(trust);
  const Selection selection = select(from);
  Plan out{{}, selection.saved_ms};
  for (const auto& [place, alternative] : selection.made) {
    const Pool::Meant& meant = from.meant[place];
    const Measured& measured = measured_[meant.number][meant.indices[alternative]];
    const Subprogram& there = *from.places[place].place;
    auto program =
        transfer(measured.candidate.program, classes_[meant.number].representative(), there);
    if (!program) continue;
    out.choices.push_back(
        {meant.number, program_.node(there.outputs[0]).name, measured.candidate.how,
         measured.candidate.moves, measured.candidate.corrected, measured.saved_ms,
         measured.comparison.ratio, *std::move(program), there.inputs, there.outputs});
  }
  if (out.choices.empty()) return std::nullopt;
  return out;
}

std::vector<Plan> Planner::plans() const {
  std::vector<Plan> out;
  const auto is_known = [&](const Plan& plan) {
    return std::any_of(out.begin(), out.end(), [&](const Plan& other) {
      return std::equal(
          plan.choices.begin(), plan.choices.end(), other.choices.begin(), other.choices.end(),
          [](const Choice& a, const Choice& b) { return a.place == b.place && a.how == b.how; });
    });
  };
  for (const Trust trust : {Trust::Medians, Trust::Bounds, Trust::OwnOrders}) {
    auto made = plan(trust);
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
