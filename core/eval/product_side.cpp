#include "core/eval/product_side.h"

#include <algorithm>

namespace pet {
namespace {

constexpr std::size_t kBlock = 256;  // of lines whose checks are decided together where they agree

void strike_out(const Check& check, Dim base, const Dim* along, std::size_t count, Dim* out) {
  if (check.multiple_of != 0) {
    for (std::size_t i = 0; i < count; ++i) out[i] = check.holds(base + along[i]) ? out[i] : -1;
    return;
  }
  const auto width = static_cast<std::uint64_t>(std::max(Dim{0}, check.high - check.low));
  for (std::size_t i = 0; i < count; ++i) {
    const bool inside = static_cast<std::uint64_t>(base + along[i] - check.low) < width;
    out[i] = inside ? out[i] : -1;
  }
}

}  // namespace

ProductSide::ProductSide(const TermPlan& plan, const ReadPlan& read,
                         const std::vector<Check>& guards, const FlatLoops& lines,
                         const FlatLoops& depth, const FlatLoops& batch)
    : read_(read),
      batch_(batch),
      line_offset_(flattened(read.offset, plan, lines)),
      depth_offset_(flattened(read.offset, plan, depth)) {
  const auto add = [&](const Check& check) {
    Checked made{
        &check, flattened(check.sum, plan, lines), flattened(check.sum, plan, depth), {}, {}};
    for (std::size_t i = 0; i < made.along_lines.size(); i += kBlock) {
      const auto from = made.along_lines.begin() + static_cast<std::ptrdiff_t>(i);
      const auto to =
          from + static_cast<std::ptrdiff_t>(std::min(kBlock, made.along_lines.size() - i));
      made.least.push_back(*std::min_element(from, to));
      made.greatest.push_back(*std::max_element(from, to));
    }
    checks_.push_back(std::move(made));
  };
  std::for_each(read.checks.begin(), read.checks.end(), add);
  std::for_each(guards.begin(), guards.end(), add);
}

ProductSide::Base ProductSide::at(const std::vector<Dim>& batch) const {
  const auto sum = [&](const AxisSum& s) {
    Dim total = s.base;
    for (std::size_t i = 0; i < batch_.loops.size(); ++i)
      total += s.along(batch_.loops[i], batch[i]);
    return total;
  };
  Base base{sum(read_.offset), {}};
  for (const Checked& checked : checks_) base.values.push_back(sum(checked.check->sum));
  return base;
}

void ProductSide::offsets(const Base& base, std::size_t k, std::size_t first, std::size_t count,
                          Dim* out) const {
  const Dim start = base.offset + depth_offset_[k];
  for (std::size_t i = 0; i < count; ++i) out[i] = start + line_offset_[first + i];
  for (std::size_t c = 0; c < checks_.size(); ++c) {
    const Checked& checked = checks_[c];
    const Check& check = *checked.check;
    const Dim value = base.values[c] + checked.along_depth[k];
    std::size_t end = first;
    for (std::size_t i = first; i < first + count; i = end) {
      const std::size_t block = i / kBlock;
      end = std::min(first + count, (block + 1) * kBlock);
      const bool all = check.multiple_of == 0 && value + checked.least[block] >= check.low &&
                       value + checked.greatest[block] < check.high;
      if (!all) strike_out(check, value, checked.along_lines.data() + i, end - i, out + i - first);
    }
  }
}

bool is_run(const Dim* offsets, std::size_t count) {
  if (offsets[0] < 0) return false;
  for (std::size_t i = 1; i < count; ++i) {
    if (offsets[i] != offsets[0] + static_cast<Dim>(i)) return false;
  }
  return true;
}

}  // namespace pet
