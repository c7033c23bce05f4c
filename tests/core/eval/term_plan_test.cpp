#include "core/eval/term_plan.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "core/eval/loops.h"
#include "core/util/rng.h"

using namespace pet;

namespace {

// By output element: at which offsets each read lies, over all that is summed; -1 where the read is
// outside or a guard fails.
using Found = std::map<Dim, std::multiset<std::vector<Dim>>>;

Found by_definition(const Term& term, const Shape& out, const std::vector<Shape>& operands) {
  Shape axes = out;
  axes.insert(axes.end(), term.reduce.begin(), term.reduce.end());
  const auto out_strides = row_major_strides(out);
  Found found;
  Shape at(axes.size(), 0);
  for (Dim point = 0; point < count(axes); ++point) {
    Dim element = 0;
    for (std::size_t a = 0; a < out.size(); ++a) element += at[a] * out_strides[a];
    const bool holds =
        std::ranges::all_of(term.guards, [&](const Guard& guard) { return guard.holds(at); });
    std::vector<Dim> offsets;
    for (const Access& access : term.factors) {
      const Shape& shape = operands[static_cast<std::size_t>(access.operand)];
      Dim offset = 0;
      for (std::size_t d = 0; d < shape.size() && offset >= 0; ++d) {
        const Dim index = access.index[d].value(at);
        offset = index < 0 || index >= shape[d] ? -1 : offset * shape[d] + index;
      }
      offsets.push_back(holds ? offset : -1);
    }
    found[element].insert(std::move(offsets));
    for (std::size_t a = at.size(); a-- > 0 && ++at[a] == axes[a];) at[a] = 0;
  }
  return found;
}

Found by_plan(const Term& term, const Shape& out, const std::vector<Shape>& operands) {
  const TermPlan plan = compile_term(term, out, operands);
  Found found;
  for_each_line(plan, 0, line_count(plan), [&](const Line& line) {
    for (std::size_t i = 0; i < line.length; ++i) {
      std::vector<Dim> offsets;
      for (const auto& read : line.reads) offsets.push_back(read[i]);
      const Dim element = line.out_base + (line.out_steps == nullptr ? 0 : (*line.out_steps)[i]);
      found[element].insert(std::move(offsets));
    }
  });
  return found;
}

Shape random_shape(Rng& rng, Dim least_rank) {
  Shape out;
  const Dim rank = rng.between(least_rank, 3);
  for (Dim a = 0; a < rank; ++a) out.push_back(rng.below(4) == 0 ? 1 : rng.between(2, 6));
  return out;
}

// A sum of axes, of digits of axes and of digits of sums.
IndexExpr random_index(Rng& rng, int axes) {
  IndexExpr out(rng.between(-2, 2));
  const Dim parts = rng.between(0, 2);
  for (Dim p = 0; p < parts && axes > 0; ++p) {
    const auto axis = [&] {
      return v(static_cast<int>(rng.below(static_cast<std::uint64_t>(axes))));
    };
    IndexExpr part = axis();
    if (rng.below(5) == 0) part += axis() * rng.between(1, 3) + IndexExpr(rng.between(0, 2));
    if (rng.below(3) == 0) part = div(part, rng.between(2, 3));
    if (rng.below(3) == 0) part = mod(part, rng.between(2, 4));
    out += part * rng.between(-2, 2);
  }
  return out;
}

}  // namespace

TEST_CASE("A compiled term reads where its index expressions say, and puts it where they say") {
  constexpr std::uint64_t kTerms = 4000;
  std::size_t inside = 0;
  std::size_t outside = 0;
  std::size_t with_tables = 0;
  for (std::uint64_t seed = 0; seed < kTerms; ++seed) {
    INFO("seed " << seed);
    Rng rng(seed);
    const Shape out = random_shape(rng, 0);
    Term term;
    if (rng.below(2) == 0) term.reduce = random_shape(rng, 1);
    const int axes = static_cast<int>(out.size() + term.reduce.size());
    std::vector<Shape> operands;
    for (int k = 0; k < 2; ++k) {
      operands.push_back(random_shape(rng, 1));
      Access access{k, {}};
      for (std::size_t d = 0; d < operands.back().size(); ++d)
        access.index.push_back(random_index(rng, axes));
      term.factors.push_back(std::move(access));
    }
    if (rng.below(4) == 0) {
      Guard guard;
      guard.expr = random_index(rng, axes);
      if (rng.below(2) == 0) {
        guard.multiple_of = rng.between(2, 3);
      } else {
        guard.low = rng.between(-2, 0);
        guard.high = rng.between(1, 4);
      }
      term.guards.push_back(std::move(guard));
    }
    const Found expected = by_definition(term, out, operands);
    REQUIRE(by_plan(term, out, operands) == expected);
    for (const auto& [element, all] : expected) {
      for (const auto& offsets : all) ++(offsets[0] < 0 ? outside : inside);
    }
    for (const ReadPlan& read : compile_term(term, out, operands).reads)
      with_tables += read.offset.tables.empty() ? 0U : 1U;
  }
  // All of it was there.
  CHECK(inside > kTerms);
  CHECK(outside > kTerms);
  CHECK(with_tables > kTerms / 20);
}

TEST_CASE("Loops over which every offset goes on evenly become one without a table") {
  const Shape shape = {4, 5, 6};
  Term term;
  term.factors = {{0, {v(0), v(1), v(2)}}};
  const TermPlan plan = compile_term(term, shape, std::vector<Shape>{shape});
  CHECK(plan.extents == Shape{120});
  REQUIRE(plan.reads.size() == 1);
  CHECK(plan.reads[0].offset.tables.empty());
  CHECK(plan.reads[0].offset.steps == std::vector<Dim>{1});
}
