#include "viz/geometry/lens.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace pet::viz {
namespace {

// The parts of an axis whose digits lie between low and high, as few as there are.
std::vector<Interval> parts_of(const Shape& digits, const Dim* low, const Dim* high) {
  std::vector<Interval> out = {{0, 1}};
  for (std::size_t d = 0; d < digits.size(); ++d) {
    const bool is_whole = low[d] == 0 && high[d] == digits[d];
    std::vector<Interval> finer;
    for (const Interval& part : out) {
      if (is_whole) {
        finer.push_back({part.low * digits[d], part.high * digits[d]});
        continue;
      }
      for (Dim outer = part.low; outer < part.high; ++outer)
        finer.push_back({outer * digits[d] + low[d], outer * digits[d] + high[d]});
    }
    out = std::move(finer);
  }
  return out;
}

// How many parts that would be, without making them.
double number_of_parts(const Shape& digits, const Dim* low, const Dim* high) {
  double number = 1, length = 1;
  for (std::size_t d = 0; d < digits.size(); ++d) {
    const bool is_whole = low[d] == 0 && high[d] == digits[d];
    if (!is_whole) number *= length;
    length =
        is_whole ? length * static_cast<double>(digits[d]) : static_cast<double>(high[d] - low[d]);
  }
  return number;
}

class Viewer {
 public:
  Viewer(const QuotientGrid& grid, const Lens& lens, std::size_t most)
      : grid_(grid), lens_(lens), most_(most) {
    const auto& digits = grid.basis().digits;
    for (std::size_t axis = 0; axis < digits.size(); ++axis) {
      const Shape& here = digits[axis];
      Dim extent = 1;
      for (const Dim d : here) extent *= d;
      basis_.digits.push_back(lens[axis] ? here : Shape{extent});
    }
  }

  std::optional<QuotientGrid> run() {
    for (const StatedBox& box : grid_.boxes())
      if (!add(box)) return std::nullopt;
    join_neighbours();
    return QuotientGrid(basis_, std::move(boxes_));
  }

 private:
  bool add(const StatedBox& stated) {
    const auto& digits = grid_.basis().digits;
    std::vector<Box> made = {{}};
    std::size_t first = 0;
    for (std::size_t axis = 0; axis < digits.size(); ++axis) {
      const Dim* low = stated.box.low.data() + first;
      const Dim* high = stated.box.high.data() + first;
      if (lens_[axis]) {
        for (Box& box : made) {
          box.low.insert(box.low.end(), low, low + digits[axis].size());
          box.high.insert(box.high.end(), high, high + digits[axis].size());
        }
      } else {
        const double more =
            number_of_parts(digits[axis], low, high) * static_cast<double>(made.size());
        if (more + static_cast<double>(boxes_.size()) > static_cast<double>(most_)) return false;
        extend(parts_of(digits[axis], low, high), made);
      }
      first += digits[axis].size();
    }
    for (Box& box : made) boxes_.push_back({std::move(box), stated.state});
    return true;
  }

  // Along an axis that was several digits parts of one state that meet are one.
  void join_neighbours() {
    std::size_t digit = 0;
    for (std::size_t axis = 0; axis < lens_.size(); ++axis) {
      if (!lens_[axis] && grid_.basis().digits[axis].size() > 1) join_along(digit);
      digit += basis_.digits[axis].size();
    }
  }

  void join_along(std::size_t digit) {
    const auto others = [digit](const StatedBox& stated) {
      Box box = stated.box;
      box.low[digit] = box.high[digit] = 0;
      return std::tuple(stated.state, std::move(box.low), std::move(box.high));
    };
    std::map<decltype(others(boxes_.front())), std::vector<Interval>> lines;
    for (const StatedBox& stated : boxes_)
      lines[others(stated)].push_back({stated.box.low[digit], stated.box.high[digit]});
    boxes_.clear();
    for (auto& [line, parts] : lines) {
      std::ranges::sort(parts, {}, &Interval::low);
      Box box{std::get<1>(line), std::get<2>(line)};
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool meets = i > 0 && parts[i].low == parts[i - 1].high;
        if (meets) {
          boxes_.back().box.high[digit] = parts[i].high;
          continue;
        }
        box.low[digit] = parts[i].low;
        box.high[digit] = parts[i].high;
        boxes_.push_back({box, std::get<0>(line)});
      }
    }
  }

  static void extend(const std::vector<Interval>& parts, std::vector<Box>& boxes) {
    std::vector<Box> longer;
    for (const Box& box : boxes) {
      for (const Interval& part : parts) {
        Box& next = longer.emplace_back(box);
        next.low.push_back(part.low);
        next.high.push_back(part.high);
      }
    }
    boxes = std::move(longer);
  }

  const QuotientGrid& grid_;
  const Lens& lens_;
  const std::size_t most_;
  DigitBasis basis_;
  std::vector<StatedBox> boxes_;
};

}  // namespace

Lens usual_lens(const QuotientGrid& grid) {
  const std::size_t rank = grid.basis().digits.size();
  Lens out(rank, true);
  for (std::size_t axis = rank < 2 ? 0 : rank - 2; axis < rank; ++axis) out[axis] = false;
  return out;
}

QuotientGrid through(const QuotientGrid& grid, const Lens& lens, std::size_t most) {
  auto seen = Viewer(grid, lens, most).run();
  return seen ? *std::move(seen) : grid;
}

}  // namespace pet::viz
