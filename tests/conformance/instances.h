// Random instances of an operator, most of them wrong: samples with attributes and shapes changed.
#pragma once

#include <optional>

#include "core/ir/op.h"
#include "core/util/rng.h"
#include "tests/conformance/samples.h"
#include "tests/support/interpret.h"

namespace pet::test {

enum class Change { Geometry, Anything };

// `sample` with one to three attributes or extents changed, sometimes to absurd values.
Sample changed(const Sample& sample, Rng& rng, Change change);

// What the operator makes of it when a graph is built: its meaning, or the error.
Result<Meaning> accepted(const Sample& sample);

// Empty, or what is wrong: an access whose index does not fit its operand, an axis that does not
// exist, a table of another length.
std::string structural_fault(const Meaning& meaning, const std::vector<Shape>& operands);

// How many elements the operands have and how many reads an evaluation takes; capped.
Dim work(const Meaning& meaning, const std::vector<Shape>& operands);

// Operands with small integer values (positive, so that every operator is defined), and truth
// values where it takes such.
std::vector<Values> positive_operands(const Sample& sample, Rng& rng);

}  // namespace pet::test
