// The inside of expansion.h, in two files: operators put into one another (expansion), and element
// functions made leaves of (expansion_functions).
#pragma once

#include <optional>
#include <span>

#include "verify/region/applied.h"
#include "verify/region/expansion.h"

namespace pet::region {

// One expansion. Its digits are those of the output or, of an argument of an element function, all
// variables of the product that the function is a factor of: the output's digits, and after them
// what is summed over further out.
class Expander::Run {
 public:
  Run(Expander& expander, std::vector<Range> digits, std::size_t of_output, Read read);

  // What a function reads: the expansion that it needs next, of a run of its own.
  struct Asked {
    Read at;
    std::vector<Range> digits;
  };
  std::variant<Asked, Expansion> advance();
  // Of what was asked for last.
  void take(Expansion found) { function_->found = std::move(found); }

 private:
  // A term of an operator that is being put in: its axes, in the variables of the product.
  struct Opening {
    Place place;
    std::size_t term = 0;
    std::vector<Affine> axes;
  };
  struct Item {
    Product product;
    std::vector<Read> reads;
    std::optional<Opening> opening;
  };
  // An element function whose arguments are being expanded, the last read of `item`.
  struct Function {
    Item item;
    std::vector<std::optional<Read>> reads;  // nothing: a hole
    std::vector<Argument> arguments;         // of the reads so far
    std::optional<Expansion> found;          // the next one

    bool is_complete() const { return arguments.size() == reads.size(); }
  };
  // What ends the expansion early.
  using Ended = std::optional<std::variant<Narrow, GiveUp>>;

  Ended step(Item item);
  Ended follow(Item item);
  Ended read_leaf(Item item);
  Ended read_number(Item item, const Tensor& constant);
  Ended read_application(Item item);
  Answer<std::optional<Read>> window_element(NodeId node, const Window& window, Dim flat,
                                             std::vector<Affine> axes, const Ranges& ranges);
  Ended add_arguments();
  Ended apply(Function function);
  // A term or an element of a window of `node`.
  static Answer<bool> counts(NodeId node, const Guard& guard, std::span<const Affine> axes,
                             const Ranges& ranges);
  Answer<bool> lies_inside(const Read& read, const Ranges& ranges);
  Ended open_term(Item item);
  Ended finish(Item item);
  Ended narrow(Item item, const Narrow& narrow);
  static void put(Item& item, Var var, const Affine& value);
  Shape shape_of(const Place& place);
  Place operand_of(NodeId node, int operand) const;
  // Where the meaning of `node` reads, in variables of the product.
  Answer<Read> located(NodeId node, const Access& access, std::span<const Affine> axes,
                       const Ranges& ranges) const;

  Expander& e_;
  std::vector<Range> digits_;
  std::size_t of_output_;  // so many of them
  std::vector<Item> open_;
  std::optional<Function> function_;
  std::vector<Product> done_;
};

}  // namespace pet::region
