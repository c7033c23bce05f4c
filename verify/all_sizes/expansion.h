// Writes an element of a program out as a sum of products over its inputs, at an index and at sizes
// of which no more is known than some facts.
#pragma once

#include <optional>
#include <span>
#include <stop_token>

#include "verify/all_sizes/products.h"
#include "verify/all_sizes/sized_program.h"

namespace pet::all_sizes {

class Expansion {
 public:
  // Variables from `first_free` on are nobody's. Leaves are shared between the two programs of a
  // comparison.
  Expansion(Leaves& leaves, std::size_t symbols, Var first_free, std::size_t most_steps,
            std::stop_token stop)
      : leaves_(leaves),
        symbols_(symbols),
        next_(first_free),
        steps_left_(most_steps),
        stop_(std::move(stop)) {}

  // nullopt: see open().
  std::optional<Products> element(const SizedProgram& program, NodeId node,
                                  const std::vector<Affine>& index, const Facts& facts);
  const Open& open() const { return open_; }

 private:
  struct Place;  // where a term or a function stands
  struct Sums;   // what a term adds up over
  class Deeper;  // while it lives, one deeper

  bool expand(const SizedProgram& program, NodeId node, const std::vector<Affine>& index,
              const Facts& facts, Products& to);
  bool add_term(const Place& at, const SizedTerm& term, const Facts& facts, Products& to);
  bool add_over(const Place& at, const SizedTerm& term, const Facts& facts, Sums& sums,
                Products& to);
  bool add_halves(const Place& at, const SizedTerm& term, const Facts& facts, Sums& sums,
                  Products& to);
  bool multiplied(const Place& at, const SizedTerm& term, const Facts& facts, Products& to);
  bool read(const Place& at, const SizedRead& read, const Facts& facts, Products& to);
  bool apply(const Place& at, const SizedApplication& application, const Facts& facts,
             Products& to);
  std::optional<std::vector<Sum>> ranges(const Sums& sums);
  std::optional<bool> all_hold(std::span<const Affine> at_least_zero, const Facts& facts);
  bool spend();
  bool give_up(std::string reason);

  Leaves& leaves_;
  std::size_t symbols_;
  Var next_;
  std::size_t steps_left_;
  std::stop_token stop_;
  int depth_ = 0;      // of functions in arguments of functions
  int operators_ = 0;  // that are being written out
  Open open_;
};

}  // namespace pet::all_sizes
