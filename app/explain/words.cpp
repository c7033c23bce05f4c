#include "app/explain/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/program/mutate/bilinear.h"
#include "core/util/printable.h"

namespace pet::explain {
namespace {

// The number that follows `word` in `text`.
std::optional<long long> number_after(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(at + word.size());
  long long out = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), out);
  if (error != std::errc() || end == rest.data()) return std::nullopt;
  return out;
}

// Taps along an axis of the only product of the program: its weight has as many axes as its data.
std::optional<long long> taps_along(const Program& before, long long axis) {
  for (const Program::Leaf& weight : before.constants) {
    const auto sizes = sizes_of(weight.type);
    if (axis >= 2 && static_cast<std::size_t>(axis) < sizes.size())
      return sizes[static_cast<std::size_t>(axis)];
  }
  return std::nullopt;
}

// Where the polynomials of a tile are evaluated, in the order of its products.
std::string points_of(long long outputs, long long taps) {
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

bool is_strided(const Program& before) {
  return std::ranges::any_of(before.steps, [](const Program::Step& step) {
    const std::size_t at = step.op.find("strides=[");
    if (at == std::string::npos) return false;
    const std::size_t values = at + 9;
    return step.op.find_first_not_of("1,", values) != step.op.find(']', values);
  });
}

std::string fast_convolution(std::string_view move, const Program& before) {
  std::string out = "Bilinear algorithm (Toom-Cook, Winograd)";
  const auto axis = number_after(move, "axis ");
  const auto tile = number_after(move, "tiles of ");
  const auto taps = axis ? taps_along(before, *axis) : std::nullopt;
  const bool sane = tile && taps && *tile > 1 && *tile <= 16 && *taps > 1 && *taps <= 16;
  if (sane && !is_strided(before)) {
    out += fmt::format(", F({0}, {1}): {2} products instead of {3} give {0} results", *tile, *taps,
                       *tile + *taps - 1, *tile * *taps);
    const std::string points = points_of(*tile, *taps);
    if (!points.empty()) out += fmt::format(", at the points {}", points);
  } else if (tile) {
    out += fmt::format(", {} results a tile", *tile);
  }
  out += move.find("before the channels") != std::string_view::npos
             ? "; the axis is laid in front of the channels, so that each point is one image of a "
               "batch"
             : "";
  if (move.find("in place") != std::string_view::npos)
    out += "; inside the layout that the runtime's convolutions use, so that nothing is transposed";
  return out +
         ". Exact over the reals: data are spread and results gathered by constant matrices, "
         "weights by a weight program.";
}

struct Term {
  std::string_view start;  // of the generator's words
  std::string_view meaning;
};
constexpr std::array<Term, 15> kTerms{{
    {"join ",
     "Reshape & transpose: images (or frames) are laid side by side along a spatial axis (PET, "
     "section 4.2, Figure 1), and the result is cut apart again."},
    {"interleave ",
     "Reshape & transpose: images are laid between each other along an axis, the convolution "
     "dilated to match (PET, Figure 3, the other way around)."},
    {"cut axis",
     "Reshape & transpose: an axis is cut into pieces that become images of a batch (PET, section "
     "4.2), the reverse of joining."},
    {"phases of axis",
     "Reshape & transpose: positions that are congruent modulo the dilation or stride are "
     "gathered, so that each phase is an ordinary dense convolution (PET, Figure 3)."},
    {"taps of axis",
     "Windowing: one product for each tap of the kernel along that axis, and one "
     "n-ary Add."},
    {"features in ", "Grouping: the features are computed in groups."},
    {"weights one after another",
     "Merging: several products of one input become one, weights concatenated, the result cut "
     "apart (PET, Figure 10)."},
    {"channels one after another",
     "Merging: a sum of products is one product over the channels of all of them, data and weights "
     "concatenated."},
    {"weights added up",
     "Merging: a sum of products of one input is one product by the sum of their weights."},
    {"a group each",
     "Grouping: products side by side become the groups of one grouped product, as "
     "many features each as the largest has (PET, Figure 10, MAX)."},
    {"groups of a common size",
     "Grouping: products side by side become groups of their common "
     "divisor's size (PET, Figure 10, GCD)."},
    {"corrected by recomputing",
     "Correction kernel (PET, section 5.2): the original operators run on what the wrong boxes "
     "read, and their results are written over the mutant's."},
    {"corrected in the batch of the main operator",
     "Fused correction kernel (PET, section 5.3, Figure 6): what the wrong boxes read joins the "
     "batch of "
     "the operator that runs anyway, and its result is cut apart."},
    {"with dimensions ",
     "Reshape & transpose: the product runs with two of its dimensions exchanged; weights are laid "
     "out to match "
     "ahead of time."},
    {"exchange ",
     "Reordering: two linear operators applied the other way around; the cheaper order "
     "touches fewer elements."},
}};

std::string_view gloss(std::string_view move) {
  for (const Term& term : kTerms) {
    if (move.starts_with(term.start)) return term.meaning;
  }
  if (move.find("taps to channels") != std::string_view::npos ||
      move.find("to channels") != std::string_view::npos) {
    return "Windowing: the positions that the taps of one axis read become channels, so that a "
           "convolution of fewer axes sums over them (im2col along one axis).";
  }
  if (move.find(" channels along axis") != std::string_view::npos)
    return "Reshape & transpose: channels are laid along a spatial axis and reached by a longer "
           "kernel.";
  if (move.find(" groups as one") != std::string_view::npos)
    return "Ungrouping: groups become blocks on the diagonal of one dense weight, zeros beside "
           "them.";
  if (move.find(" zeros behind axis") != std::string_view::npos)
    return "Padding, so that the pieces are of equal size.";
  if (move.starts_with("with a unit dimension"))
    return "Reshape: a dimension of one element more, for the kernel that the runtime then takes.";
  if (move.find("does not slide as one dimension") != std::string_view::npos)
    return "Reshape: dimensions that the kernel does not slide along become one.";
  return {};
}

// "[1,1,1]"
bool has_only(std::string_view list, char digit) {
  return std::ranges::all_of(
             list, [&](char c) { return c == digit || c == '[' || c == ']' || c == ','; }) &&
         list.find("11") == std::string_view::npos;
}

// What an operator has where nothing is said, or what its operands and result say.
bool is_default(std::string_view op, std::string_view attribute) {
  const std::size_t equals = attribute.find('=');
  const std::string_view name = attribute.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? "" : attribute.substr(equals + 1);
  if (name == "strides" || name == "dilations" || name == "steps" || name == "group")
    return value == "1" || (value.starts_with("[") && has_only(value, '1'));
  if (name == "pads") return op != "Pad" && has_only(value, '0');
  return (name == "kernel_shape" && op == "Conv") || (name == "shape" && op == "Reshape");
}

struct Interval {
  long long low = 0, high = 0;
};

// "[0,1)x[0,64)"; nothing where it is no such box.
std::optional<std::vector<Interval>> box_of(std::string_view text) {
  std::vector<Interval> out;
  while (!text.empty()) {
    if (text.front() == 'x') text.remove_prefix(1);
    const std::size_t end = text.find(')');
    if (text.empty() || text.front() != '[' || end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text.substr(1, end - 1);
    const auto high = number_after(inside, ",");
    Interval i{0, high.value_or(0)};
    const auto read = std::from_chars(inside.data(), inside.data() + inside.size(), i.low);
    if (!high || read.ec != std::errc()) return std::nullopt;
    out.push_back(i);
    text.remove_prefix(end + 1);
  }
  return out;
}

// "7*2" of the basis that an axis is told in: the sizes of its digits, outermost first.
using Digits = std::vector<std::vector<long long>>;

// "in digits (1, 128, 7*2): " at the start of `boxes` is taken off it. Where there is none, every
// axis is one digit.
std::optional<Digits> take_digits(std::string_view& boxes, const std::vector<long long>& sizes) {
  constexpr std::string_view kStart = "in digits (";
  Digits out;
  if (!boxes.starts_with(kStart)) {
    for (const long long size : sizes) out.push_back({size});
    return out;
  }
  const std::size_t end = boxes.find("): ");
  if (end == std::string_view::npos) return std::nullopt;
  out.emplace_back();
  const char* at = boxes.data() + kStart.size();
  const char* const stop = boxes.data() + end;
  while (at < stop) {
    long long size = 0;
    const auto [next, error] = std::from_chars(at, stop, size);
    if (error != std::errc() || size < 1) return std::nullopt;
    out.back().push_back(size);
    at = next;
    if (at < stop && *at == ',') out.emplace_back();
    while (at < stop && (*at == ',' || *at == ' ' || *at == '*')) ++at;
  }
  boxes.remove_prefix(end + 3);
  return out.size() == sizes.size() ? std::optional(out) : std::nullopt;
}

std::string from_to(long long low, long long high) {
  return high - low == 1 ? fmt::format("at {}", low) : fmt::format("from {} to {}", low, high - 1);
}

std::string box_in_words(const std::vector<Interval>& box, const Digits& digits) {
  std::string out;
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < digits.size(); ++axis) {
    long long stride = 1;
    for (const long long size : digits[axis]) stride *= size;
    for (std::size_t digit = 0; digit < digits[axis].size(); ++digit, ++place) {
      const long long size = digits[axis][digit];
      const auto [low, high] = box[place];
      stride /= size;
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

std::string meaning_of_move(const std::string& move, const Program& before) {
  if (move.find("fast convolution") != std::string::npos) {
    const std::size_t inside = move.find(", inside it ");
    if (inside == std::string::npos) return fast_convolution(move, before);
    const std::string outer = move.substr(0, inside);
    const std::string first = meaning_of_move(outer, before);
    return first + " Inside it: " + fast_convolution(move.substr(inside), before);
  }
  return std::string(gloss(move));
}

std::string region_in_words(const std::string& boxes, const std::string& type) {
  constexpr std::size_t kMostBoxes = 4;
  const auto sizes = sizes_of(type);
  std::string out;
  std::size_t number = 0;
  std::string_view rest = boxes;
  const auto digits = take_digits(rest, sizes);
  if (!digits) return printable(boxes);
  std::size_t axes = 0;
  for (const auto& of_axis : *digits) axes += of_axis.size();
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const auto box = box_of(one);
    if (!box || box->size() != axes) return printable(boxes);
    if (++number <= kMostBoxes) out += (out.empty() ? "" : "; ") + box_in_words(*box, *digits);
  }
  if (number > kMostBoxes) out += fmt::format("; and {} more boxes", number - kMostBoxes);
  return out;
}

std::string layout_in_words(const Layout& layout) {
  return fmt::format("{} with its axes in the order {}", shown(layout.value),
                     fmt::join(layout.order, ", "));
}

std::string mutant_in_words(const std::string& how) {
  // A round that starts from a mutant may make the same product of it in another way.
  return shown(how.ends_with(", then ") ? how + "the product anew" : how, 160);
}

std::string without_defaults(const std::string& op) {
  const std::size_t open = op.find('<');
  if (open == std::string::npos || !op.ends_with('>')) return op;
  const std::string name = op.substr(0, open);
  std::string kept;
  std::string_view rest = std::string_view(op).substr(open + 1, op.size() - open - 2);
  while (!rest.empty()) {
    // Lists hold commas without a space behind them.
    const std::string_view one = rest.substr(0, rest.find(", "));
    rest.remove_prefix(std::min(rest.size(), one.size() + 2));
    if (!is_default(name, one)) kept += (kept.empty() ? "" : ", ") + std::string(one);
  }
  return kept.empty() ? name : name + "<" + kept + ">";
}

std::vector<long long> sizes_of(const std::string& type) {
  std::vector<long long> out;
  const std::size_t open = type.find('[');
  if (open == std::string::npos) return out;
  const char* at = type.data() + open + 1;
  const char* const end = type.data() + type.size();
  while (at < end) {
    long long size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc()) return {};
    out.push_back(size);
    if (next == end || *next != ',') break;
    at = next + 1;
  }
  return out;
}

std::string shown(const std::string& name, std::size_t longest) {
  const std::string all = printable(name);
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

std::string bytes_in_words(double bytes) { return fmt::format("{:.2f} MB", bytes / 1e6); }

std::string ratio_in_words(const Speedup& ratio) {
  if (!ratio.low) return fmt::format("{:.3f}x", ratio.median);
  return fmt::format("{:.3f}x (at least {:.3f}x)", ratio.median, *ratio.low);
}

std::string plural(std::size_t number, const std::string& noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace pet::explain
