#include "verify/theorem/tested.h"

namespace pet::theorem {
namespace {

using Residues = std::vector<std::uint64_t>;

// By leaf and read.
std::vector<Residues> random_inputs(const LeafReads& reads, const Field& field, Draws& draws) {
  std::vector<Residues> out;
  for (Leaf leaf = 0; leaf < reads.leaves(); ++leaf) {
    Residues& of = out.emplace_back();
    for (std::size_t i = 0; i < reads.of(leaf).size(); ++i) of.push_back(draws.in(field));
  }
  return out;
}

// By result. An Error: the prime divides a denominator.
Result<Residues> evaluated(const Circuit& circuit, const std::vector<Residues>& inputs,
                           const Field& field) {
  Residues coefficients;
  for (const Rational& x : circuit.coefficients) {
    const auto residue = field.residue(x);
    if (!residue) return Error{"a prime divides a denominator", ErrorKind::Tool};
    coefficients.push_back(*residue);
  }
  Residues values(circuit.values.size(), 0);
  for (const std::uint32_t v : circuit.order) {
    const Circuit::Value& value = circuit.values[v];
    if (value.leaf != Circuit::kNone) {
      values[v] = inputs[value.leaf][value.read];
      continue;
    }
    std::uint64_t sum = 0;
    for (std::uint32_t t = value.first; t < value.last; ++t) {
      const Circuit::Term& term = circuit.terms[t];
      std::uint64_t product = coefficients[term.coefficient];
      for (std::uint32_t f = term.first; f < term.last; ++f)
        product = field.mul(product, values[circuit.factors[f]]);
      sum += product;  // of numbers below 2^32, fewer than 2^32
    }
    values[v] = sum % field.prime();
  }
  Residues out;
  for (const std::uint32_t result : circuit.results) out.push_back(values[result]);
  return out;
}

}  // namespace

Result<std::vector<char>> agree_at(const Program& original, NodeId original_output,
                                   const Program& mutant, NodeId mutant_output,
                                   const std::vector<Shape>& positions,
                                   const std::vector<Field>& fields, const Digest& secret,
                                   Steps& steps) {
  const DigitBox single;
  LeafReads reads(original.leaves(), single.width());
  auto first = write_out(original, original_output, positions, single, reads, steps);
  if (const Error* error = std::get_if<Error>(&first)) return *error;
  auto second = write_out(mutant, mutant_output, positions, single, reads, steps);
  if (const Error* error = std::get_if<Error>(&second)) return *error;
  std::vector<char> out(positions.size(), 1);
  for (std::size_t lane = 0; lane < fields.size(); ++lane) {
    Draws draws(secret, lane);
    const auto inputs = random_inputs(reads, fields[lane], draws);
    const auto a = evaluated(std::get<Circuit>(first), inputs, fields[lane]);
    if (!a) return a.error();
    const auto b = evaluated(std::get<Circuit>(second), inputs, fields[lane]);
    if (!b) return b.error();
    for (std::size_t i = 0; i < out.size(); ++i) {
      if ((*a)[i] != (*b)[i]) out[i] = 0;
    }
  }
  return out;
}

}  // namespace pet::theorem
