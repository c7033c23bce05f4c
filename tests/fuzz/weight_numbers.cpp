#include "tests/fuzz/weight_numbers.h"

#include <algorithm>

#include "core/util/digest.h"
#include "core/util/rng.h"

namespace pet::fuzz {
namespace {

constexpr unsigned kRootBits = 512;

bool is_inverse_deviation(const Application& application) {
  return application.function->name == "inverse_deviation";
}

std::optional<Rational> apply_exactly(const Application& application,
                                      const std::vector<Rational>& x) {
  if (application.function->name == "relu") return x[0] > 0 ? x[0] : Rational(0);
  if (application.function->name == "reciprocal") {
    if (x[0] == 0) return std::nullopt;
    return Rational(1 / x[0]);
  }
  if (!is_inverse_deviation(application)) return std::nullopt;
  const Rational variance = x[0] + exact(application.parameters[0]);
  if (variance <= 0) return std::nullopt;
  const mpf_class root = sqrt(mpf_class(variance, kRootBits));
  return Rational(1 / Rational(root));
}

std::optional<long double> apply_nearly(const Application& application,
                                        const std::vector<long double>& x) {
  if (application.function->name == "relu") return std::max(x[0], 0.0L);
  if (application.function->name == "reciprocal") return 1 / x[0];
  if (!is_inverse_deviation(application)) return std::nullopt;
  return 1 / std::sqrt(x[0] + static_cast<long double>(application.parameters[0]));
}

bool has_roots(const Graph& graph) {
  return std::any_of(graph.nodes().begin(), graph.nodes().end(), [](const Node& node) {
    return node.op() != nullptr && node.op()->def->name == "BatchNormalization";
  });
}

std::optional<Rational> apply_anything(const Application& application,
                                       const std::vector<Rational>& x) {
  Digester digester("judge");
  digester.add(application.function->name);
  for (const double parameter : application.parameters) digester.add(to_string(exact(parameter)));
  for (const Rational& argument : x) digester.add(to_string(argument));
  Rng rng(std::stoull(digester.finish().hex().substr(0, 15), nullptr, 16));
  return exact(0.5 + rng.uniform());
}

}  // namespace

std::vector<float> stored_floats(const Node& node) {
  const auto floats = node.constant()->floats();
  return {floats.begin(), floats.end()};
}

Rational power_of_two(int exponent) {
  mpz_class power = 1;
  power <<= static_cast<unsigned>(std::abs(exponent));
  return exponent < 0 ? Rational(1, power) : Rational(power);
}

Arithmetic<Rational> exactly(const FloatsOf& floats_of) {
  const auto leaf = [=](const Node& node) {
    std::vector<Rational> out;
    for (const float x : floats_of(node)) out.push_back(exact(static_cast<double>(x)));
    return out;
  };
  return {[](const Rational& x) { return x; }, leaf, apply_exactly};
}

Arithmetic<Rational> with_any_functions(const FloatsOf& floats_of) {
  Arithmetic<Rational> out = exactly(floats_of);
  out.apply = apply_anything;
  return out;
}

Arithmetic<Sized> with_sizes(const FloatsOf& floats_of, Results results) {
  const auto leaf = [=](const Node& node) {
    std::vector<Sized> out;
    for (const float x : floats_of(node)) out.emplace_back(static_cast<long double>(x));
    return out;
  };
  const auto apply = [=](const Application& application,
                         const std::vector<Sized>& x) -> std::optional<Sized> {
    const auto value = apply_nearly(application, {x[0].value});
    if (!value) return std::nullopt;
    if (application.function->name == "relu") return Sized(*value, x[0].size);
    return results == Results::One ? Sized(*value, 1) : Sized(*value);
  };
  return {[](const Rational& x) { return Sized(to_long_double(x)); }, leaf, apply};
}

float nearest(const Rational& x) {
  if (x == 0) return 0;
  const Rational size = abs(x);
  // 2^exponent <= size < 2^(exponent + 1)
  int exponent = static_cast<int>(mpz_sizeinbase(size.get_num_mpz_t(), 2)) -
                 static_cast<int>(mpz_sizeinbase(size.get_den_mpz_t(), 2));
  if (size < power_of_two(exponent)) --exponent;
  const int unit = std::max(exponent - 23, -149);
  const Rational units = size / power_of_two(unit);
  mpz_class whole = units.get_num() / units.get_den();
  const Rational rest = units - Rational(whole);
  const Rational half(1, 2);
  if (rest > half || (rest == half && mpz_odd_p(whole.get_mpz_t()) != 0)) ++whole;
  const auto out = static_cast<float>(std::ldexp(whole.get_d(), unit));
  return x < 0 ? -out : out;
}

std::optional<std::vector<float>> rounded(const Graph& graph, NodeId id) {
  const auto values = values_of<Rational>(graph, {id}, exactly(stored_floats));
  if (!values) return std::nullopt;
  const Rational unsure = has_roots(graph) ? power_of_two(-300) : Rational(0);
  std::vector<float> out;
  for (const Rational& e : (*values)[id.index()].data) {
    const float low = nearest(e - unsure);
    if (low != nearest(e + unsure)) return std::nullopt;
    out.push_back(low);
  }
  return out;
}

Arithmetic<long double> in_floats(const std::map<std::string, std::vector<float>>& inputs,
                                  bool* overflows) {
  const auto leaf = [=](const Node& node) {
    const auto floats =
        node.constant() != nullptr ? stored_floats(node) : inputs.at(node.input()->name);
    return std::vector<long double>(floats.begin(), floats.end());
  };
  return {to_long_double, leaf, apply_nearly, [=](long double& x) {
            x = static_cast<long double>(static_cast<float>(x));
            if (overflows != nullptr && !std::isfinite(x)) *overflows = true;
          }};
}

}  // namespace pet::fuzz
