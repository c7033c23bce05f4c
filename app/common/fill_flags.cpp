#include "app/common/fill_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/util/printable.h"

namespace pet::app {
namespace {

std::optional<double> finite(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  const bool is_number = problem == std::errc() && rest == end && std::isfinite(number);
  return is_number ? std::optional(number) : std::nullopt;
}

std::optional<ValueRange> range_in(std::string_view text) {
  const auto dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto low = finite(text.substr(0, dots));
  const auto high = finite(text.substr(dots + 2));
  if (!low || !high || *low > *high) return std::nullopt;
  return ValueRange{*low, *high};
}

const ModelInput* input_named(const std::string& name, std::span<const Model* const> models) {
  for (const Model* model : models) {
    const auto it = std::ranges::find(model->inputs, name, &ModelInput::name);
    if (it != model->inputs.end()) return &*it;
  }
  return nullptr;
}

// Whether such an input can be given any number of the range, and none that it cannot hold.
bool is_within(const ValueRange& range, DType dtype) {
  const auto whole = integer_range(dtype);
  return !whole || (std::ceil(range.low) <= std::floor(range.high) && range.low >= whole->least &&
                    range.high <= whole->largest);
}

}  // namespace

void add_fill_flag(CLI::App& command, std::vector<std::string>& flags) {
  command
      .add_option("--fill", flags,
                  "what is drawn for an input where the files run: tokens=0..30521, both ends "
                  "included; whole numbers where it holds such")
      ->take_all()
      ->allow_extra_args(false);
}

Result<std::map<std::string, ValueRange>> parse_fill(const std::vector<std::string>& flags) {
  std::map<std::string, ValueRange> out;
  for (const std::string& flag : flags) {
    const auto equals = flag.rfind('=');
    const auto range = equals == std::string::npos || equals == 0
                           ? std::nullopt
                           : range_in(std::string_view(flag).substr(equals + 1));
    if (!range) {
      return Error{fmt::format("--fill {}: expected an input and two numbers, the smaller one "
                               "first, as in tokens=0..30521",
                               printable(flag)),
                   ErrorKind::Usage};
    }
    if (!out.emplace(flag.substr(0, equals), *range).second)
      return Error{fmt::format("--fill {}: given twice", printable(flag)), ErrorKind::Usage};
  }
  return out;
}

Status check_fill(const std::map<std::string, ValueRange>& fill,
                  std::span<const Model* const> models) {
  for (const auto& [name, range] : fill) {
    const ModelInput* input = input_named(name, models);
    if (input == nullptr) {
      return Error{fmt::format("--fill {}: no file has an input of that name", printable(name)),
                   ErrorKind::Usage};
    }
    if (!is_within(range, input->type.dtype)) {
      return Error{
          fmt::format("--fill {}={}..{}: there are no such numbers of type {}", printable(name),
                      range.low, range.high, to_string(input->type.dtype)),
          ErrorKind::Usage};
    }
  }
  return Done{};
}

}  // namespace pet::app
