#include "app/explain/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/program/mutate/bilinear.h"
#include "core/util/overloaded.h"
#include "core/util/printable.h"

namespace pet::explain {
namespace {

constexpr std::string_view kTapsToChannels =
    "Windowing: the positions that the taps of one axis read become channels, so that a "
    "convolution of fewer axes sums over them (im2col along one axis).";

// Where the polynomials of a tile are evaluated, in the order of its products.
std::string points_of(Dim outputs, Dim taps) {
  const auto tile = mutation::toom_cook_tile(outputs, taps, 1);
  if (!tile || tile->weights.columns < 2) return {};
  std::string out;
  for (std::size_t i = 0; i < tile->weights.rows; ++i) {
    const Rational& q = tile->weights.at(i, 0);
    const Rational& p = tile->weights.at(i, 1);
    // Rows are (q^k, p q^(k-1), ...): what stands beside a power of q is p times the one below it.
    const std::string point = q == Rational(0) ? "infinity" : to_string(Rational(p / q));
    out += (out.empty() ? "" : ", ") + point;
  }
  return out;
}

std::string meaning_of(const move::FastConvolution& m) {
  std::string out = m.inside ? "Inside it: bilinear" : "Bilinear";
  out += " algorithm (Toom-Cook, Winograd)";
  // What a file says is not believed further than a picture of it is worth.
  const bool sane = m.outputs > 1 && m.outputs <= 16 && m.taps > 1 && m.taps <= 16 && !m.whole;
  if (sane && m.stride == 1) {
    out += fmt::format(", F({0}, {1}): {2} products instead of {3} give {0} results", m.outputs,
                       m.taps, m.outputs + m.taps - 1, m.outputs * m.taps);
    const std::string points = points_of(m.outputs, m.taps);
    if (!points.empty()) out += fmt::format(", at the points {}", points);
  } else if (!m.whole) {
    out += fmt::format(", {} results a tile", m.outputs);
  }
  out += m.place == move::AxisPlace::BeforeChannels
             ? "; the axis is laid in front of the channels, so that each point is one image of a "
               "batch"
             : "; inside the layout that the runtime's convolutions use, so that nothing is "
               "transposed";
  return out +
         ". Exact over the reals: data are spread and results gathered by constant matrices, "
         "weights by a weight program.";
}

std::string meaning_of(const move::Merge& m) {
  switch (m.how) {
    case move::Merging::Features:
      return "Merging: several products of one input become one, weights concatenated, the result "
             "cut apart (PET, Figure 10).";
    case move::Merging::Groups:
      return "Grouping: products side by side become the groups of one grouped product, as many "
             "features each as the largest has (PET, Figure 10, MAX).";
    case move::Merging::CommonDivisor:
      return "Grouping: products side by side become groups of their common divisor's size (PET, "
             "Figure 10, GCD).";
    case move::Merging::Channels:
      return "Merging: a sum of products is one product over the channels of all of them, data and "
             "weights concatenated.";
    case move::Merging::Sum:
      return "Merging: a sum of products of one input is one product by the sum of their weights.";
  }
  return {};
}

std::string meaning_of(const move::Phases& m) {
  if (m.as == move::Gathered::Channels)
    return "Windowing: the positions that one step of the window passes become channels, so that "
           "a shorter kernel sums over them.";
  return "Reshape & transpose: positions that are congruent modulo the dilation or stride are "
         "gathered, so that each phase is an ordinary dense convolution (PET, Figure 3).";
}

std::string meaning_of(const move::Form& m) {
  switch (m.how) {
    case move::Shaped::RestAsOne:
      return "Reshape: dimensions that the kernel does not slide along become one.";
    case move::Shaped::UnitInFront:
    case move::Shaped::UnitBehind:
      return "Reshape: a dimension of one element more, for the kernel that the runtime then "
             "takes.";
    case move::Shaped::Plainly:
    case move::Shaped::DataTimesWeight:
    case move::Shaped::WeightTimesData:
    case move::Shaped::OnlySlides:
    case move::Shaped::Sliding:
      return {};
  }
  return {};
}

std::string meaning_of(const move::Correct& m) {
  switch (m.way) {
    case CorrectionWay::Recomputing:
      return "Correction kernel (PET, section 5.2): the original operators run on what the wrong "
             "boxes read, and their results are written over the mutant's.";
    case CorrectionWay::InBatch:
      return "Fused correction kernel (PET, section 5.3, Figure 6): what the wrong boxes read "
             "joins the batch of the operator that runs anyway, and its result is cut apart.";
  }
  return {};
}

bool is_all(const AttrValue& value, std::int64_t wanted) {
  const auto* ints = std::get_if<Ints>(&value);
  const auto* one = std::get_if<std::int64_t>(&value);
  if (one != nullptr) return *one == wanted;
  return ints != nullptr && std::ranges::all_of(*ints, [&](auto x) { return x == wanted; });
}

// What an operator has where nothing is said, or what its operands and result say.
bool goes_without_saying(const std::string& op, const std::string& name, const AttrValue& value) {
  if (name == "strides" || name == "dilations" || name == "steps" || name == "group")
    return is_all(value, 1);
  if (name == "pads") return op != "Pad" && is_all(value, 0);
  return (name == "kernel_shape" && op == "Conv") || (name == "shape" && op == "Reshape");
}

std::string from_to(Dim low, Dim high) {
  return high - low == 1 ? fmt::format("at {}", low) : fmt::format("from {} to {}", low, high - 1);
}

// An axis is told by the digits that are not whole in the box.
std::string box_in_words(const Box& box, const DigitBasis& basis) {
  std::string out;
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < basis.digits.size(); ++axis) {
    const Shape& digits = basis.digits[axis];
    Dim stride = 1;
    for (const Dim size : digits) stride *= size;
    for (std::size_t digit = 0; digit < digits.size(); ++digit, ++place) {
      const Dim size = digits[digit];
      const Dim low = box.low[place];
      const Dim high = box.high[place];
      stride /= std::max<Dim>(size, 1);
      if (low == 0 && high == size) continue;
      out += fmt::format("{}axis {} ", out.empty() ? "" : " and ", axis);
      if (digit == 0) {
        out += from_to(low * stride, high * stride);
      } else {
        out += (stride > 1 ? fmt::format("over {} ", stride) : "") + from_to(low, high) +
               fmt::format(" modulo {}", size);
      }
    }
  }
  return out.empty() ? "everywhere" : out;
}

}  // namespace

std::string meaning_of_move(const Move& move) {
  return std::visit(
      overloaded{
          [](const move::FoldNormalisation&) -> std::string {
            return "The normalisation behind the product is part of its weights, which a weight "
                   "program yields.";
          },
          [](const move::Exchange&) -> std::string {
            return "Reordering: two linear operators applied the other way around; the cheaper "
                   "order touches fewer elements.";
          },
          [](const move::Merge& m) { return meaning_of(m); },
          [](const move::ComposeWeights&) -> std::string {
            return "Merging: two products in a row are one, by the product of their weights.";
          },
          [](const move::Join&) -> std::string {
            return "Reshape & transpose: images (or frames) are laid side by side along a spatial "
                   "axis (PET, section 4.2, Figure 1), and the result is cut apart again.";
          },
          [](const move::Interleave&) -> std::string {
            return "Reshape & transpose: images are laid between each other along an axis, the "
                   "convolution dilated to match (PET, Figure 3, the other way around).";
          },
          [](const move::Cut&) -> std::string {
            return "Reshape & transpose: an axis is cut into pieces that become images of a batch "
                   "(PET, section 4.2), the reverse of joining.";
          },
          [](const move::Phases& m) { return meaning_of(m); },
          [](const move::PadEnd&) -> std::string {
            return "Padding, so that the pieces are of equal size.";
          },
          [](const move::DropIdleTaps&) -> std::string { return {}; },
          [](const move::TapsApart&) -> std::string {
            return "Windowing: one product for each tap of the kernel along that axis, and one "
                   "n-ary Add.";
          },
          [](const move::TapsToChannels&) -> std::string { return std::string(kTapsToChannels); },
          [](const move::ChannelsToTaps&) -> std::string {
            return "Reshape & transpose: channels are laid along a spatial axis and reached by a "
                   "longer kernel.";
          },
          [](const move::FeaturesToGroups&) -> std::string {
            return "Grouping: the features are computed in groups.";
          },
          [](const move::GroupsToBlocks&) -> std::string {
            return "Ungrouping: groups become blocks on the diagonal of one dense weight, zeros "
                   "beside them.";
          },
          [](const move::Form& m) { return meaning_of(m); },
          [](const move::ExchangeDimensions&) -> std::string {
            return "Reshape & transpose: the product runs with two of its dimensions exchanged; "
                   "weights are laid out to match ahead of time.";
          },
          [](const move::AxisToBatch&) -> std::string { return std::string(kTapsToChannels); },
          [](const move::FastConvolution& m) { return meaning_of(m); },
          [](const move::Correct& m) { return meaning_of(m); },
          [](const move::StartAgain&) -> std::string {
            return "The mutant so far is a program like any other, and some of its operators were "
                   "mutated again (PET, Algorithm 2: the next round).";
          },
          [](const move::ApplyRule& m) {
            return fmt::format(
                "A rewrite rule: verified before it was used{}, and shown equal at "
                "these very shapes{}.",
                m.condition.empty() ? std::string() : fmt::format(", right where {}", m.condition),
                m.place.empty() ? std::string() : fmt::format(" at {}", m.place));
          },
          [](const move::Said&) -> std::string { return {}; },
      },
      move);
}

std::string region_in_words(const Region& region) {
  constexpr std::size_t kMostBoxes = 4;
  std::string out;
  for (std::size_t i = 0; i < std::min(region.boxes.size(), kMostBoxes); ++i)
    out += (out.empty() ? "" : "; ") + box_in_words(region.boxes[i], region.basis);
  if (region.boxes.size() > kMostBoxes)
    out += fmt::format("; and {} more boxes", region.boxes.size() - kMostBoxes);
  return out;
}

std::string layout_in_words(const LayoutRecord& layout) {
  return fmt::format("{} with its axes in the order {}", shown(layout.value),
                     fmt::join(layout.order, ", "));
}

std::string mutant_in_words(const Lineage& mutant) { return shown(in_words(mutant.moves), 160); }

std::string operators_in_words(const std::vector<std::string>& operators) {
  return shown(fmt::format("{}", fmt::join(operators, ", ")), 60);
}

std::vector<std::string> telling_attributes(const ProgramRecord::Step& step) {
  std::vector<std::string> out;
  for (const auto& [name, value] : step.attributes) {
    if (!goes_without_saying(step.op, name, value))
      out.push_back(fmt::format("{}={}", name, to_string(value)));
  }
  return out;
}

std::string operator_in_words(const ProgramRecord::Step& step) {
  const auto attributes = telling_attributes(step);
  if (attributes.empty()) return step.op;
  return fmt::format("{}<{}>", step.op, fmt::join(attributes, ", "));
}

std::string shown(const std::string& name, std::size_t longest) {
  std::string all = printable(name);
  if (all.size() <= longest || longest < 8) return all;
  // Not inside a character of several bytes.
  const auto continues = [&](std::size_t i) {
    return i < all.size() && (static_cast<unsigned char>(all[i]) & 0xC0U) == 0x80U;
  };
  std::size_t front = longest / 3;
  while (front > 0 && continues(front)) --front;
  std::size_t back = all.size() - (longest - longest / 3 - 3);
  while (back < all.size() && continues(back)) ++back;
  return all.substr(0, front) + "..." + all.substr(back);
}

std::string milliseconds(double ms) {
  return fmt::format("{:.{}f} ms", ms, std::abs(ms) < 10 ? 3 : 2);
}

std::string bytes_in_words(std::uintmax_t bytes) {
  return fmt::format("{:.2f} MB", static_cast<double>(bytes) / 1e6);
}

std::string ratio_in_words(const Speedup& ratio) {
  if (!ratio.low) return fmt::format("{:.3f}x", ratio.median);
  return fmt::format("{:.3f}x (at least {:.3f}x)", ratio.median, *ratio.low);
}

}  // namespace pet::explain
