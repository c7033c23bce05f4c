#include "core/program/mutate/moves_groups.h"

#include <algorithm>

namespace pet::mutation {
namespace {

constexpr Dim kMostGroups = 4;

void features_to_groups(const State& s, std::vector<State>& out) {
  if (s.windows > 0 || s.views > 0) return;
  for (std::size_t a = 0; a < s.axes.size(); ++a) {
    if (s.axes[a].role != AxisRole::Feature) continue;
    for (Dim factor = 2; factor <= kMostGroups; ++factor) {
      State next = s;
      const auto taken = take(next, a, factor, true);
      if (!taken) continue;
      OpAxis group;
      group.role = AxisRole::Group;
      group.data = {next.digit(factor)};
      group.weight = taken->weight;
      group.result = taken->result;
      next.data_steps.push_back({.kind = Step::Kind::Repeat,
                                 .digit = group.data[0],
                                 .to = group.data[0],
                                 .count = factor});
      next.axes.push_back(std::move(group));
      drop_empty_axes(next);
      ++next.windows;
      next.last = true;
      next.moves.emplace_back(move::FeaturesToGroups{factor});
      out.push_back(std::move(next));
    }
  }
}

void groups_to_blocks(const State& s, const MoveLimits& limits, std::vector<State>& out) {
  for (std::size_t a = 0; a < s.axes.size(); ++a) {
    if (s.axes[a].role != AxisRole::Group || s.axes[a].data.empty()) continue;
    const Dim groups = s.extent[static_cast<std::size_t>(s.axes[a].data.back())];
    for (const Dim factor : factors_of(groups, limits.largest_factor)) {
      State next = s;
      const auto taken = take(next, a, factor, false);
      if (!taken) continue;
      OpAxis channel;
      channel.role = AxisRole::Channel;
      channel.data = taken->data;
      channel.weight = {next.digit(factor)};
      OpAxis feature;
      feature.role = AxisRole::Feature;
      feature.weight = {next.digit(factor)};
      feature.result = taken->result;
      next.weight_steps.push_back({.kind = Step::Kind::Diagonal,
                                   .digit = taken->weight[0],
                                   .to = feature.weight[0],
                                   .with = channel.weight[0],
                                   .count = factor});
      insert_before(next, AxisRole::Channel, std::move(channel));
      insert_before(next, AxisRole::Feature, std::move(feature));
      drop_empty_axes(next);
      next.last = true;
      next.moves.emplace_back(move::GroupsToBlocks{factor});
      out.push_back(std::move(next));
    }
  }
}

}  // namespace

void move_groups(const State& state, const MoveLimits& limits, std::vector<State>& out) {
  groups_to_blocks(state, limits, out);
  features_to_groups(state, out);
}

}  // namespace pet::mutation
