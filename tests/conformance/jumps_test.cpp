// Which functions jump is found out by halving, and held against what they say of themselves.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>

#include "core/ops/ops.h"
#include "tests/support/op_instances.h"
#include "tests/support/seeded.h"

namespace pet::test {
namespace {

constexpr Real kJump = 1e-4L;
// Beyond this there is a pole.
constexpr Real kPole = 1e3L;

// One application with everything drawn but the element that changes.
struct Along {
  const Application& application;
  RowState row;
  std::vector<Real> elements;
  std::size_t changes = 0;

  Real at(Real x) {
    elements[changes] = x;
    return application.function->value(application.parameters, row, elements);
  }

  // Whether it is another one at a number than right beside it.
  bool jumps_at(Real number) {
    const Real there = at(number), beside = at(number + 1e-12L);
    return std::abs(there - beside) > kJump && std::abs(there) < kPole && std::abs(beside) < kPole;
  }

  // Whether the value jumps between two numbers: it still does where nothing is between them.
  bool jumps(Real low, Real high) {
    Real below = at(low), above = at(high);
    for (int i = 0; i < 80; ++i) {
      if (!(std::abs(above - below) > kJump) || std::abs(below) > kPole || std::abs(above) > kPole)
        return false;
      const Real middle = (low + high) / 2;
      const Real between = at(middle);
      const bool is_lower = std::abs(between - below) > std::abs(above - between);
      (is_lower ? high : low) = middle;
      (is_lower ? above : below) = between;
    }
    return true;
  }
};

bool seen_to_jump(const Application& one, const OpInstance& instance, Rng& rng) {
  std::vector<Real> window;
  for (int i = 0; i < 5; ++i) window.push_back(2 * rng.normal());
  Along line{one, one.window ? one.function->row(one.parameters, window) : RowState{}, {}};
  for (std::size_t i = 0; i < one.elements.size(); ++i) line.elements.push_back(2 * rng.normal());
  for (std::size_t i = 0; i < one.elements.size(); ++i) {
    // Truth values and integers have nothing between them.
    const auto k = static_cast<std::size_t>(one.elements[i].operand);
    if (k >= instance.elements.size() || instance.elements[k] != DType::Float) continue;
    Along varied = line;
    varied.changes = i;
    if (varied.jumps(-3 + rng.uniform(), 3 + rng.uniform()) || varied.jumps_at(0)) return true;
    for (std::size_t other = 0; other < one.elements.size(); ++other)
      if (other != i && varied.jumps_at(line.elements[other])) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("Every function that jumps says so, and no other") {
  Seeded rng;
  CAPTURE(rng.drawn);
  std::map<std::string, std::pair<bool, bool>> found;  // says, does
  const std::vector<const OpDef*> defs = {
#define OP(name) &ops::name(),
#include "core/ops/all_ops.def"
#undef OP
  };
  for (const OpDef* def : defs) {
    for (int draw = 0; draw < 60; ++draw) {
      const auto instance = sample_instance(*def, rng);
      if (!instance) continue;
      const auto meaning = def->lower(instance->op, instance->operands);
      if (!meaning) continue;
      for (const Application& one : meaning->applications) {
        auto& [says, does] = found[std::string(one.function->name)];
        says = one.function->jumps != Jumps::Nowhere;
        // Where a partial function is not defined is no jump, and where it nearly is not none
        // either.
        if (one.function->totality == Totality::Partial && !says) continue;
        does = does || seen_to_jump(one, *instance, rng);
      }
    }
  }
  CHECK(found.size() > 60);
  for (const auto& [name, both] : found) {
    INFO(name);
    CHECK(both.first == both.second);
  }
}

}  // namespace pet::test
