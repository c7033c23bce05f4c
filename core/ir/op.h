// The operator definition: the one place that says what an operator is, and an operator with its
// attributes.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/attrs.h"
#include "core/ir/meaning.h"
#include "core/ir/onnx_call.h"
#include "core/ir/type.h"
#include "core/util/id.h"
#include "core/util/result.h"

namespace pet {

struct Op;
struct StandIn;
class GraphBuilder;
using NodeId = Id<struct NodeTag>;

// By operand: the number that it is, where it is a constant of one element. Empty: none is known.
using KnownNumbers = std::vector<std::optional<Rational>>;

// Geometry becomes index expressions, guards and coefficients; a Parameter belongs to an element
// function and is hashed in proofs.
enum class AttrRole { Geometry, Parameter };

struct AttrDef {
  std::string name;
  AttrValue standard;  // its type and, unless required, its default
  AttrRole role = AttrRole::Geometry;
  bool required = false;
};

struct Arity {
  std::size_t min = 1;
  std::size_t max = 1;
};
inline constexpr std::size_t kAnyNumber = 1000000;

// What a piece of an operator finds where the whole one reads implicit padding: nothing of it, or
// zeros that are part of its operand now.
enum class Padding { Untouched, Explicit };

// Where the values of constants decide what an operator means: those of one element are exact
// numbers to every proof (theory: section 6a), and x / 4 is a quarter of x. (What ONNX hands over
// as constants that decide shapes and positions are attributes of ours.)
struct ByNumbers {
  std::vector<std::size_t> operands;  // the places that matter, sorted
  // The result has the shape that it has without. A number elsewhere changes nothing.
  Result<Meaning> (*lower)(const Op&, std::span<const Shape>, const KnownNumbers&) = nullptr;
};

struct OpDef {
  std::string name;     // the ONNX name wherever ONNX has one
  std::string summary;  // one sentence, for people
  Arity arity;
  std::vector<AttrDef> attrs;
  int since = 1;  // the first operator set of ONNX that has it
  // Null: opaque, an operator without a meaning of ours.
  Result<Meaning> (*lower)(const Op&, std::span<const Shape>) = nullptr;
  std::optional<ByNumbers> by_numbers = {};  // nothing: no operand's value decides what it means
  // Whether every number in the meaning (extents, bounds of guards, constants of indices) is an
  // affine function of the operands' extents and of the attributes that are sizes or positions,
  // and all else in it the same, wherever there is a meaning and no extent is 0 (the index along
  // an axis of extent 1 apart, which may be written as 0). What holds at all sizes is proved of
  // such operators only. Null: of none.
  bool (*affine_in_sizes)(const Op&) = nullptr;
  // What elements the result has, by those of the operands (truth values are 0 and 1 in a meaning,
  // integers themselves). Unsupported where there is no meaning for them. Null: the operands have
  // one type and so has the result: float, or any where the operator only moves data.
  Result<DType> (*element_type)(const Op&, std::span<const DType>) = nullptr;
  // On integers, element by element and broadcast, where that is not the meaning above evaluated on
  // them. nullopt: undefined.
  std::optional<std::int64_t> (*on_integers)(std::span<const std::int64_t>) = nullptr;
  // The same value by simpler operators, as files spell it out where they have no such node: what
  // the operator is over the reals, with the nearest float of every real in it. Null: it is none of
  // that kind. An Error where this form of it is none.
  Result<NodeId> (*spelled_out)(const Op&, GraphBuilder&, const std::vector<NodeId>&) = nullptr;
  // Whether what it is read as follows from the extents it looks at by one formula, so that what is
  // proportional to an extent at some sizes is so at all. (A Slice up to 40 is the whole of every
  // shorter axis.)
  bool reads_by_formula = false;
  // How ONNX writes it. Defaults: same name, same attributes, same operands. Writing is refused
  // (not_in_opset) where the operator set has no node of that meaning.
  Result<std::vector<OnnxImported>> (*from_onnx)(const OnnxCall&) = nullptr;
  Result<OnnxEmitted> (*to_onnx)(const Op&, std::span<const Shape>, int opset) = nullptr;
  // The same operator reading no implicit padding: what a piece of it is computed with. nullopt
  // where explicit zeros mean something else than the padding did, or a piece is no such operator
  // at all; null: it has no padding.
  std::optional<Op> (*without_padding)(const Op&, Padding) = nullptr;
  // The same operator on operands whose axes stand in another order (all of them have the result's
  // rank): its result is the old one with its axes in that order. nullopt where there is none;
  // null: the operator names no axes, or none can be found. An AxisOrder lists the old axes by new
  // place.
  std::optional<Op> (*rearranged)(const Op&, std::span<const std::size_t> order) = nullptr;
  // The least work of this kind that takes a value of that shape and yields one: what takes the
  // place of a neighbour in measurements, where runtimes hand values from one such operator to the
  // next in a layout of their own. nullopt: none on that shape; null: no such layout is known.
  std::optional<StandIn> (*stand_in)(const Shape& value) = nullptr;
};

struct Op {
  const OpDef* def = nullptr;
  Attrs attrs;

  std::int64_t integer(std::string_view name) const { return attrs.integer(name); }
  const Ints& ints(std::string_view name) const { return attrs.ints(name); }
  double real(std::string_view name) const { return attrs.real(name); }
  const std::string& text(std::string_view name) const { return attrs.text(name); }
  bool operator==(const Op&) const = default;
};

// REQUIRES: it is not opaque; as many operands as it takes; as many numbers as operands, or none
Result<Meaning> meaning_of(const Op& op, std::span<const Shape> operands,
                           const KnownNumbers& numbers);

inline bool with_any_attributes(const Op&) { return true; }

// An operator on a value and a weight of that shape.
struct StandIn {
  Op op;
  Shape weight;
};

// One output of an ONNX node in our operators.
struct OnnxImported {
  Op op;
  std::vector<OnnxSource> operands;
};

// An operator with every attribute checked against the definition and defaults filled in.
Result<Op> make_op(const OpDef& def, Attrs attrs);

// What a node's results are in our operators: at least as many as it has. Unsupported: the node has
// no meaning of ours, or is none of its operator set.
Result<std::vector<OnnxImported>> import_call(const OpDef& def, const OnnxCall& call);

// `op` as a node of that operator set; Unsupported where the set has no node of the same meaning.
Result<OnnxEmitted> emit_call(const Op& op, std::span<const Shape> operands, int opset);
// That refusal, in words that name operator, attribute (if it is one), operator set and reason.
Error not_in_opset(const Op& op, std::string_view attribute, int opset, std::string_view reason);

std::string to_string(
    const Op& op);  // Conv<group=1, pads=[1,1,1,1]>, attributes at their default left out
void digest_into(Digester& digester, const Op& op);

}  // namespace pet
