#include <algorithm>
#include <bit>

#include "core/eval/evaluate.h"
#include "core/eval/term_eval.h"
#include "core/util/parallel.h"

namespace pet {
namespace {

// What is computed: the function and its parameters, and how its arguments are laid out. Never
// geometry.
Hash128 function_salt(const Application& application) {
  Digester digester("element function");
  digester.add(application.function->name)
      .add(static_cast<std::uint64_t>(application.parameters.size()));
  for (const double p : application.parameters) digester.add(std::bit_cast<std::uint64_t>(p));
  digester.add(static_cast<std::uint64_t>(application.elements.size()));
  digester.add(application.window ? 1 + static_cast<std::uint64_t>(application.window->symmetry)
                                  : 0);
  return salt_of(digester.finish());
}

Hash128 named_salt(std::string_view name) { return salt_of(digest_of("salt", name)); }

// The digest of one element: the whole vector of its residues.
std::vector<Hash128> element_digests(const HashKey& key, const ResidueTensor& tensor) {
  std::vector<Hash128> out(tensor.size());
  std::vector<const std::uint32_t*> columns;
  for (std::size_t lane = 0; lane < tensor.lanes(); ++lane)
    columns.push_back(tensor.lane(lane).data());
  digest_columns(key, named_salt("window element"), columns, out);
  return out;
}

// One digest a window; holes are marked at their place, or counted where the window is a multiset.
std::vector<Hash128> window_digests(const HashKey& key, const Window& window,
                                    const WindowPlan& plan, const ResidueTensor& operand) {
  static const Hash128 hole = named_salt("hole");
  const auto elements = element_digests(key, operand);
  std::vector<Hash128> out(plan.windows);
  constexpr std::size_t kRowsAtOnce = 256;
  std::vector<Hash128> rows;
  for (std::size_t first = 0; first < plan.windows; first += kRowsAtOnce) {
    const std::size_t number = std::min(kRowsAtOnce, plan.windows - first);
    rows.resize(number * plan.width);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Dim offset = plan.offsets[first * plan.width + i];
      rows[i] = offset < 0 ? hole : elements[static_cast<std::size_t>(offset)];
    }
    const std::span<Hash128> to(out.data() + first, number);
    if (window.symmetry == Symmetry::Multiset) {
      digest_multiset_rows(key, named_salt("multiset"), rows, plan.width, to);
    } else {
      digest_rows(key, named_salt("sequence"), rows, plan.width, to);
    }
  }
  return out;
}

constexpr std::size_t kDigestsAtOnce = 1 << 14;  // a millisecond or so

}  // namespace

Result<std::vector<Hash128>> ResidueEvaluator::argument_digests(
    const Application& application, const ApplicationCode& code,
    std::span<const ResidueTensor* const> operands) const {
  const auto size = static_cast<std::size_t>(count(application.out));
  std::vector<std::vector<std::uint32_t>> columns;
  for (std::size_t k = 0; k < application.elements.size(); ++k) {
    const auto number = static_cast<std::size_t>(application.elements[k].operand);
    const ResidueTensor& operand = *operands[number];
    const auto offsets = read_offsets(code.elements[k]);
    for (std::size_t lane = 0; lane < operand.lanes(); ++lane) {
      const auto from = operand.lane(lane);
      auto& column = columns.emplace_back(size);
      for (std::size_t i = 0; i < size; ++i) {
        column[i] = offsets[i] < 0 ? 0 : from[static_cast<std::size_t>(offsets[i])];
      }
    }
  }
  if (application.window) {
    const ResidueTensor& operand =
        *operands[static_cast<std::size_t>(application.window->read.operand)];
    const WindowPlan plan = plan_windows(*code.window, application.out);
    const auto digests = window_digests(key_, *application.window, plan, operand);
    for (int word = 0; word < 4; ++word) {
      auto& column = columns.emplace_back(size);
      for (std::size_t i = 0; i < size; ++i) {
        const Hash128& digest = digests[plan.of_output[i]];
        column[i] =
            static_cast<std::uint32_t>((word < 2 ? digest.low : digest.high) >> (32 * (word % 2)));
      }
    }
  }
  std::vector<const std::uint32_t*> pointers;
  for (const auto& column : columns) pointers.push_back(column.data());
  std::vector<Hash128> out(size);
  const Hash128 salt = function_salt(application);
  const std::size_t pieces = size > 4096 ? threads_ : 1;
  parallel_for(pieces, pieces, [&](std::size_t piece) {
    const std::size_t end = (piece + 1) * size / pieces;
    for (std::size_t first = piece * size / pieces; first < end; first += kDigestsAtOnce) {
      if (stop_.stop_requested()) return;
      auto from = pointers;
      for (auto& pointer : from) pointer += first;
      digest_columns(key_, salt, from,
                     std::span(out).subspan(first, std::min(kDigestsAtOnce, end - first)));
    }
  });
  if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  return out;
}

Result<std::vector<std::vector<Hash128>>> ResidueEvaluator::argument_digests(
    const MeaningCode& code, std::span<const ResidueTensor* const> operands) const {
  std::vector<std::vector<Hash128>> digests;
  std::vector<ResidueTensor> applied;
  applied.reserve(code.applications().size());
  std::vector<const ResidueTensor*> all(operands.begin(), operands.end());
  for (std::size_t k = 0; k < code.applications().size(); ++k) {
    const Application& application = code.meaning().applications[k];
    auto of_application = argument_digests(application, code.applications()[k], all);
    if (!of_application) return std::move(of_application).error();
    digests.push_back(*std::move(of_application));
    if (digests.size() == code.applications().size()) break;
    applied.push_back(results(digests.back(), application.out));
    all.push_back(&applied.back());
  }
  return digests;
}

ResidueTensor ResidueEvaluator::results(const std::vector<Hash128>& digests,
                                        const Shape& shape) const {
  ResidueTensor out(shape, ring_.lanes());
  parallel_for(ring_.lanes(), threads_, [&](std::size_t lane) {
    expand(key_, digests, lane, ring_.field(lane), out.lane(lane));
  });
  return out;
}

Result<ResidueTensor> ResidueEvaluator::evaluate(
    const MeaningCode& code, std::span<const ResidueTensor* const> operands) const {
  if (count(code.meaning().sum.out) == 0)
    return ResidueTensor(code.meaning().sum.out, ring_.lanes());
  std::vector<ResidueTensor> applied;
  applied.reserve(code.applications().size());
  std::vector<const ResidueTensor*> all(operands.begin(), operands.end());
  for (std::size_t k = 0; k < code.applications().size(); ++k) {
    const Application& application = code.meaning().applications[k];
    const auto digests = argument_digests(application, code.applications()[k], all);
    if (!digests) return digests.error();
    applied.push_back(results(*digests, application.out));
    all.push_back(&applied.back());
  }
  if (code.is_result_in_place()) return std::move(applied.back());
  ResidueTensor out(code.meaning().sum.out, ring_.lanes());
  for (const TermCode& term : code.terms()) {
    if (auto done = add_term(ring_, term, all, out, threads_, stop_); !done)
      return std::move(done).error();
  }
  return out;
}

Result<ResidueTensor> ResidueEvaluator::evaluate(
    const Meaning& meaning, std::span<const ResidueTensor* const> operands) const {
  return evaluate(MeaningCode(meaning, shapes_of(operands)), operands);
}

}  // namespace pet
