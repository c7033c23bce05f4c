#include "viz/words/terms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "viz/words/axis_names.h"

namespace pet::viz {
namespace {

std::string sum_name(std::size_t number) {
  static constexpr std::string_view kNames = "ijklmnpq";
  return number < kNames.size() ? std::string(1, kNames[number]) : fmt::format("i{}", number);
}

std::string index_in_words(const InspectedTerm::Index& index) {
  std::string out;
  if (index.constant != 0 || index.of_sums.empty()) out = fmt::format("{}", index.constant);
  for (const auto& [sum, coefficient] : index.of_sums) {
    const Dim size = std::abs(coefficient);
    const std::string_view sign = out.empty()       ? (coefficient < 0 ? "-" : "")
                                  : coefficient < 0 ? " - "
                                                    : " + ";
    fmt::format_to(std::back_inserter(out), "{}{}{}", sign,
                   size == 1 ? "" : fmt::format("{} ", size), sum_name(sum));
  }
  return out;
}

std::string factor_in_words(const InspectedTerm::Factor& factor) {
  std::vector<std::string> index;
  for (const InspectedTerm::Index& one : factor.index) index.push_back(index_in_words(one));
  return fmt::format("{}[{}]", factor.value.empty() ? "f" : factor.value, fmt::join(index, ", "));
}

void add_side(const InspectedTerms& terms, bool of_original, std::size_t most, std::string& out) {
  const auto is_here = [&](const InspectedTerm& term) {
    return term.is_of_original == of_original;
  };
  const auto number = static_cast<std::size_t>(std::ranges::count_if(terms.differing, is_here));
  if (number == 0) return;
  fmt::format_to(std::back_inserter(out), "\nonly in the {} ({} of {} terms):\n",
                 of_original ? "original" : "mutant", std::min(most, number), number);
  std::size_t said = 0;
  for (const InspectedTerm& term : terms.differing)
    if (is_here(term) && said++ < most)
      fmt::format_to(std::back_inserter(out), "  {}\n", in_words(term));
}

}  // namespace

std::string in_words(const InspectedTerm& term) {
  std::vector<std::string> factors;
  if (term.coefficient != "1" || term.factors.empty()) factors.push_back(term.coefficient);
  for (const InspectedTerm::Factor& factor : term.factors)
    factors.push_back(factor_in_words(factor));
  std::vector<std::string> sums;
  for (std::size_t i = 0; i < term.sums.size(); ++i)
    sums.push_back(fmt::format("{} = {}", sum_name(i),
                               range_in_words(term.sums[i].first, term.sums[i].second)));
  return fmt::format("{}{}{}", fmt::join(factors, " · "), sums.empty() ? "" : "   for ",
                     fmt::join(sums, ", "));
}

std::string in_words(const InspectedTerms& terms, std::size_t most) {
  std::string out = fmt::format("{:.0f} products in the original, {:.0f} in the mutant\n",
                                terms.original, terms.mutant);
  if (terms.differing.empty()) return out + "\nthe same ones\n";
  add_side(terms, true, most, out);
  add_side(terms, false, most, out);
  return out;
}

}  // namespace pet::viz
