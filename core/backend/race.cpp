#include "core/backend/race.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/util/check.h"
#include "core/util/median.h"

namespace pet {

Race::Race(std::size_t runners, const RatioRule& rule)
    : running_(runners), ms_(runners), pairs_(runners * runners, SequentialComparison(rule)) {
  PET_CHECK(runners > 0, "nobody runs in a race of none");
  std::iota(running_.begin(), running_.end(), std::size_t{0});
}

const SequentialComparison& Race::between(std::size_t a, std::size_t b) const {
  PET_CHECK(a < b && b < ms_.size(), "a pair of runners has an order");
  return pairs_[a * ms_.size() + b];
}

bool Race::runs(std::size_t runner) const {
  return std::binary_search(running_.begin(), running_.end(), runner);
}

// All that run have run in all rounds: what their pairs want is the same, but for those that have
// been looked at as often as may be.
std::size_t Race::rounds_wanted() const {
  for (std::size_t i = 0; i < running_.size(); ++i) {
    for (std::size_t j = i + 1; j < running_.size(); ++j) {
      const std::size_t wanted = between(running_[i], running_[j]).rounds_wanted();
      if (wanted > 0) return wanted;
    }
  }
  return 0;
}

void Race::add(const std::vector<std::vector<double>>& ms) {
  PET_CHECK(ms.size() == running_.size(), "all that run have run, and nobody else");
  const std::vector<std::size_t> ran = running_;
  for (std::size_t i = 0; i < ran.size(); ++i) {
    ms_[ran[i]].insert(ms_[ran[i]].end(), ms[i].begin(), ms[i].end());
    for (std::size_t j = i + 1; j < ran.size(); ++j) {
      SequentialComparison& both = pair(ran[i], ran[j]);
      if (!both.is_finished()) both.add({ms[i], ms[j]});
    }
  }
  turn_out();
}

void Race::finish() {
  for (std::size_t i = 0; i < running_.size(); ++i)
    for (std::size_t j = i + 1; j < running_.size(); ++j) pair(running_[i], running_[j]).finish();
  turn_out();
}

// One at a time, by somebody who stays: so somebody always does.
void Race::turn_out() {
  const std::vector<std::size_t> ran = running_;
  for (std::size_t i = 0; i < ran.size(); ++i) {
    for (std::size_t j = i + 1; j < ran.size(); ++j) {
      const Decision decision = between(ran[i], ran[j]).decision();
      if (decision == Decision::Undecided || !runs(ran[i]) || !runs(ran[j])) continue;
      std::erase(running_, decision == Decision::Faster ? ran[i] : ran[j]);
    }
  }
}

std::vector<std::size_t> Race::ranking() const {
  const std::vector<double>& first = ms_[running_.front()];
  // By how much each is slower than one that ran to the end.
  std::vector<double> slower(ms_.size());
  for (std::size_t i = 0; i < ms_.size(); ++i) {
    std::vector<double> ratios;
    for (std::size_t k = 0; k < ms_[i].size(); ++k)
      ratios.push_back(std::log(ms_[i][k] / first[k]));
    slower[i] = median(std::move(ratios));
  }
  std::vector<std::size_t> out(ms_.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
    // Who was turned out by the last look ran as long as those who stayed.
    if (runs(a) != runs(b)) return runs(a);
    if (ms_[a].size() != ms_[b].size()) return ms_[a].size() > ms_[b].size();
    return slower[a] < slower[b];
  });
  return out;
}

}  // namespace pet
