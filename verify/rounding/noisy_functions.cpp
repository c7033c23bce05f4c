#include "verify/rounding/noisy_functions.h"

#include <optional>
#include <vector>

#include "core/eval/windows.h"

namespace pet {
namespace {

bool is_rounded_float(double exact, double noisy) { return noisy != exact && is_float(exact); }

bool has_rounded_float(std::size_t lane, const NoisyValues& values) {
  const auto exact = exact_lane_of(lane, values);
  const auto noisy = values.lane(lane);
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    if (is_rounded_float(exact[i], noisy[i])) return true;
  }
  return false;
}

bool errs(std::size_t lane, const NoisyValues& values) {
  return !std::ranges::equal(exact_lane_of(lane, values), values.lane(lane));
}

NoisyValues copy_of_lane(std::size_t lane, const NoisyValues& values) {
  NoisyValues out(values.shape, 1);
  std::ranges::copy(values.lane(lane), out.lane(0).begin());
  return out;
}

}  // namespace

NoisyFunctions::NoisyFunctions(const Graph& graph, std::size_t lanes, std::size_t threads,
                               const std::stop_token& stop)
    : graph_(graph),
      lanes_{threads, stop},
      evaluator_(Signs::Signed, Functions::Computed, threads, stop, lanes),
      of_one_lane_(Signs::Signed, Functions::Computed, threads, stop) {}

NoisyValues NoisyFunctions::result(NodeId id, const MeaningCode& code, std::size_t number,
                                   std::span<const NoisyValues* const> operands,
                                   std::uint64_t& word) const {
  NoisyValues out = rounded(id, code, number, operands, word);
  std::vector<char> has_some(out.lanes(), 0);
  lanes_.for_each_noisy(
      out, [&](std::size_t lane) { has_some[lane] = has_rounded_float(lane, out) ? 1 : 0; });
  if (std::ranges::find(has_some, char{1}) == has_some.end()) return out;
  if (code.meaning().applications[number].window)
    unround_windows(code, number, operands, has_some, out);
  else
    unround_elements(code, number, operands, has_some, out);
  return out;
}

// Of functions of single elements, one by one: they are few.
void NoisyFunctions::unround_elements(const MeaningCode& code, std::size_t number,
                                      std::span<const NoisyValues* const> operands,
                                      std::span<const char> has_some, NoisyValues& out) const {
  const Application& application = code.meaning().applications[number];
  std::vector<std::vector<Dim>> offsets;
  for (const TermPlan& read : code.applications()[number].elements)
    offsets.push_back(read_offsets(read));
  lanes_.for_each_noisy(out, [&](std::size_t lane) {
    if (has_some[lane] == 0) return;
    const auto exact = exact_lane_of(lane, out);
    const auto to = out.lane(lane);
    std::vector<Real> elements(offsets.size(), 0);
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (!is_rounded_float(exact[i], to[i])) continue;
      bool reads_errors = false;
      for (std::size_t k = 0; k < elements.size(); ++k) {
        elements[k] = 0;
        if (offsets[k][i] < 0) continue;  // padding
        const auto at = static_cast<std::size_t>(offsets[k][i]);
        const auto operand = static_cast<std::size_t>(application.elements[k].operand);
        const double element = operands[operand]->lane(lane)[at];
        elements[k] = element;
        reads_errors = reads_errors || element != exact_lane_of(lane, *operands[operand])[at];
      }
      to[i] = reads_errors ? static_cast<double>(
                                 application.function->value(application.parameters, {}, elements))
                           : exact[i];
    }
  });
}

// Of functions of windows lane by lane: they are few, too.
void NoisyFunctions::unround_windows(const MeaningCode& code, std::size_t number,
                                     std::span<const NoisyValues* const> operands,
                                     std::span<const char> has_some, NoisyValues& out) const {
  const Application& application = code.meaning().applications[number];
  const auto reads_errors = [&](std::size_t lane) {
    const auto errs_at = [&](const Access& access) {
      return errs(lane, *operands[static_cast<std::size_t>(access.operand)]);
    };
    return errs_at(application.window->read) || std::ranges::any_of(application.elements, errs_at);
  };
  lanes_.for_each_noisy(out, [&](std::size_t lane) {
    if (has_some[lane] == 0) return;
    std::optional<NoisyValues> again;
    if (reads_errors(lane)) {
      std::vector<NoisyValues> copies;
      for (const NoisyValues* operand : operands) copies.push_back(copy_of_lane(lane, *operand));
      std::vector<const NoisyValues*> read;
      for (const NoisyValues& copy : copies) read.push_back(&copy);
      again = of_one_lane_.result(code, number, read);
    }
    const auto exact = exact_lane_of(lane, out);
    const auto from = again ? std::as_const(*again).lane(0) : exact;
    const auto to = out.lane(lane);
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (is_rounded_float(exact[i], to[i])) to[i] = from[i];
    }
  });
}

// What is no float is not rounded, nor what is compared once more than it was.
NoisyValues NoisyFunctions::rounded(NodeId id, const MeaningCode& code, std::size_t number,
                                    std::span<const NoisyValues* const> operands,
                                    std::uint64_t& word) const {
  const Application& application = code.meaning().applications[number];
  std::vector<std::optional<NoisyValues>> rounded(operands.size());
  std::vector<const NoisyValues*> read(operands.begin(), operands.end());
  const auto& from = graph_.node(id).operands;
  const auto round_operand = [&](const Access& access) {
    const auto k = static_cast<std::size_t>(access.operand);
    const bool is_float = k >= from.size() || graph_.node(from[k]).type.dtype == DType::Float;
    if (rounded[k] || !is_float || application.function->jumps == Jumps::AtTies) return;
    const NoisyValues& exact = *operands[k];
    NoisyValues& noisy = rounded[k].emplace(exact.shape, exact.lanes());
    lanes_.for_each(noisy, [&](std::size_t lane) {
      std::ranges::copy(exact.lane(lane), noisy.lane(lane).begin());
    });
    round(noisy, word);
    read[k] = &*rounded[k];
  };
  for (const Access& access : application.elements) round_operand(access);
  if (application.window) round_operand(application.window->read);
  NoisyValues out = evaluator_.result(code, number, read);
  if (graph_.node(id).type.dtype == DType::Float) round(out, word);
  return out;
}

// Takes one word a lane.
void NoisyFunctions::round(NoisyValues& values, std::uint64_t& word) const {
  lanes_.for_each_noisy(values, [&](std::size_t lane) {
    Roundings roundings(word + lane);
    for (double& x : values.lane(lane)) x += roundings.next() * rounded_as(x);
  });
  word += values.lanes();
}

}  // namespace pet
