#include "verify/theorem/hypotheses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace pet::theorem {
namespace {

constexpr std::size_t kMostProducts = 256;  // kinds and speeds of one sum
constexpr std::size_t kMostFactors = 64;

Error too_many_kinds() {
  return Error{"too many kinds of products to say whether the theorem holds",
               ErrorKind::Unsupported};
}

double log2_of(const mpz_class& x) {
  long exponent = 0;
  const double mantissa = mpz_get_d_2exp(&exponent, x.get_mpz_t());
  return std::log2(std::abs(mantissa)) + static_cast<double>(exponent);
}

}  // namespace

std::uint32_t Hypotheses::moving(Leaf leaf, std::uint32_t read) {
  Moving out{leaf, {}};
  const Row row = reads_.of(leaf).row(read);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i % reads_.width() != 0) out.speed.push_back(row[i]);
  }
  const auto [it, is_new] =
      known_moving_.try_emplace(out, static_cast<std::uint32_t>(moving_.size()));
  if (is_new) moving_.push_back(std::move(out));
  return it->second;
}

std::uint32_t Hypotheses::number(Products products) {
  const auto [it, is_new] =
      known_set_.try_emplace(products, static_cast<std::uint32_t>(sets_.size()));
  if (is_new) sets_.push_back(std::move(products));
  return it->second;
}

std::uint32_t Hypotheses::product_of(std::uint32_t a, std::uint32_t b) {
  Product out;
  std::ranges::merge(products_[a], products_[b], std::back_inserter(out));
  const auto [it, is_new] =
      known_product_.try_emplace(out, static_cast<std::uint32_t>(products_.size()));
  if (is_new) products_.push_back(std::move(out));
  return it->second;
}

Result<std::uint32_t> Hypotheses::products_of(std::uint32_t a, std::uint32_t b) {
  const auto known = multiplied_.find({a, b});
  if (known != multiplied_.end()) return known->second;
  Products out;
  for (const std::uint32_t x : sets_[a]) {
    for (const std::uint32_t y : sets_[b]) {
      if (products_[x].size() + products_[y].size() > kMostFactors) return too_many_kinds();
      out.push_back(product_of(x, y));
    }
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  if (out.size() > kMostProducts) return too_many_kinds();
  return multiplied_[{a, b}] = number(std::move(out));
}

Result<std::uint32_t> Hypotheses::united(std::uint32_t a, std::uint32_t b) {
  if (a == b) return a;
  const auto known = unions_.find({a, b});
  if (known != unions_.end()) return known->second;
  Products out;
  std::ranges::set_union(sets_[a], sets_[b], std::back_inserter(out));
  if (out.size() > kMostProducts) return too_many_kinds();
  return unions_[{a, b}] = number(std::move(out));
}

Status Hypotheses::add(const Circuit& circuit) {
  if (products_.empty()) {
    known_product_[{}] = 0;
    products_.emplace_back();
  }
  const std::uint32_t nothing = number({});
  const std::uint32_t one = number({0});
  struct OfValue {
    std::uint32_t products = 0;
    long double norm = 0;
  };
  std::vector<OfValue> of(circuit.values.size());
  auto& partial = partial_.emplace_back();
  // A denominator of each value's own would take too long: the common one of all coefficients, as
  // often as fractions are multiplied on the way.
  mpz_class common = 1;
  std::vector<long double> coefficients;
  for (const Rational& x : circuit.coefficients) {
    common = lcm(common, x.get_den());
    coefficients.push_back(std::abs(to_long_double(x)));
  }
  std::vector<std::uint32_t> fractions(circuit.values.size(), 0);  // multiplied
  for (const std::uint32_t v : circuit.order) {
    const Circuit::Value& value = circuit.values[v];
    if (value.leaf != Circuit::kNone) {
      if (leaves_.about(value.leaf).is_partial) partial.emplace(value.leaf, value.read);
      const std::uint32_t factor = moving(value.leaf, value.read);
      const auto [it, is_new] =
          known_product_.try_emplace({factor}, static_cast<std::uint32_t>(products_.size()));
      if (is_new) products_.push_back({factor});
      of[v] = {number({it->second}), 1};
      continue;
    }
    of[v].products = nothing;
    for (std::uint32_t t = value.first; t < value.last; ++t) {
      const Circuit::Term& term = circuit.terms[t];
      std::uint32_t products = one;
      long double norm = coefficients[term.coefficient];
      std::uint32_t denominators = circuit.coefficients[term.coefficient].get_den() == 1 ? 0 : 1;
      for (std::uint32_t f = term.first; f < term.last; ++f) {
        const std::uint32_t factor = circuit.factors[f];
        const auto more = products_of(products, of[factor].products);
        if (!more) return more.error();
        products = *more;
        norm *= of[factor].norm;
        denominators += fractions[factor];
      }
      const auto all = united(of[v].products, products);
      if (!all) return all.error();
      of[v].products = *all;
      of[v].norm += norm;
      fractions[v] = std::max(fractions[v], denominators);
    }
  }
  for (const std::uint32_t v : circuit.results) {
    results_.push_back(of[v].products);
    norm_ += of[v].norm;
    denominator_bits_ += fractions[v] * log2_of(common);
    for (const std::uint32_t product : sets_[of[v].products])
      degree_ = std::max(degree_, static_cast<double>(products_[product].size()));
  }
  if (!std::isfinite(norm_))
    return Error{"coefficients too long to compute with", ErrorKind::Unsupported};
  return Done{};
}

PolynomialSize Hypotheses::size() const {
  // The norm was added up in floats.
  const double norm_bits = norm_ > 0 ? static_cast<double>(std::log2(norm_)) + 0.01 : 0;
  return {degree_, std::max(1.0, norm_bits + denominator_bits_)};
}

std::optional<std::string> Hypotheses::broken() const {
  // What is read in padding, or with a weight of 0, is not among it: that is left to the bitmap
  // engine.
  if (!std::ranges::includes(partial_.front(), partial_.back()))
    return "domain: an output depends on results of a partial function that the original's does "
           "not "
           "depend on there";
  return too_many_speeds();
}

std::optional<std::string> Hypotheses::too_many_speeds() const {
  std::set<std::uint32_t> all;
  for (const std::uint32_t result : results_)
    all.insert(sets_[result].begin(), sets_[result].end());
  std::map<std::vector<Leaf>, double> speeds;  // by kind of product
  for (const std::uint32_t number : all) {
    std::vector<Leaf> kind;
    std::map<Leaf, std::map<std::uint32_t, double>> times;
    for (const std::uint32_t factor : products_[number]) {
      kind.push_back(moving_[factor].leaf);
      ++times[kind.back()][factor];
    }
    std::ranges::sort(kind);
    double orders = 1;
    for (const auto& [leaf, factors] : times) {
      double place = 0;
      for (const auto& [factor, number_of_times] : factors) {
        for (double i = 1; i <= number_of_times; ++i) orders *= ++place / i;
      }
    }
    speeds[std::move(kind)] += orders;
  }
  for (const auto& [kind, number] : speeds) {
    if (number < 2.5) continue;
    std::string words;
    for (const Leaf leaf : kind) words += (words.empty() ? "" : "·") + leaves_.about(leaf).name;
    return fmt::format(
        "in a box the indices of {} move in {:.0f} ways: m + 1 positions tell two apart, no more",
        words, number);
  }
  return std::nullopt;
}

}  // namespace pet::theorem
