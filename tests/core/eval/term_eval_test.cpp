// Sums of products of every form the compiler of terms tells apart: packed products, loops, digits,
// dense offsets. Over 400 lines: a form after the other.
#include <catch2/catch.hpp>

#include "core/eval/contraction.h"
#include "core/eval/evaluate.h"
#include "core/ops/ops.h"
#include "tests/support/exact.h"
#include "tests/support/lanes.h"

namespace pet {
namespace {

using test::Numbers;
using test::Residue;

std::vector<PrimeField> two_primes() {
  KeyStream keys(digest_of("test", "primes"), 0);
  return draw_primes(keys, 2);
}

ResidueTensor random_tensor(const Shape& shape, const std::vector<PrimeField>& fields, Rng& rng) {
  ResidueTensor out(shape, fields.size());
  for (std::size_t lane = 0; lane < fields.size(); ++lane) {
    for (auto& x : out.lane(lane)) x = fields[lane].reduce(rng.next());
  }
  return out;
}

ResidueTensor evaluated(const Meaning& meaning, const std::vector<ResidueTensor>& operands,
                        const std::vector<PrimeField>& fields, std::size_t threads) {
  std::vector<const ResidueTensor*> pointers;
  for (const auto& operand : operands) pointers.push_back(&operand);
  auto out =
      ResidueEvaluator(fields, digest_of("test", "secret"), threads).evaluate(meaning, pointers);
  REQUIRE(out.ok());
  return *std::move(out);
}

// On random residues: as the definition says, and the same on one thread and on two.
void check_sum(const Meaning& meaning, const std::vector<Shape>& shapes) {
  const auto fields = two_primes();
  Rng rng(5);
  std::vector<ResidueTensor> operands;
  for (const Shape& shape : shapes) operands.push_back(random_tensor(shape, fields, rng));
  const auto out = evaluated(meaning, operands, fields, 1);
  CHECK(out.shape == meaning.sum.out);
  CHECK(std::ranges::equal(evaluated(meaning, operands, fields, 2).values(), out.values()));
  for (std::size_t lane = 0; lane < fields.size(); ++lane) {
    std::vector<Numbers<Residue>> numbers;
    for (const auto& operand : operands) {
      numbers.push_back({operand.shape, {}});
      for (const auto x : operand.lane(lane)) numbers.back().data.push_back({&fields[lane], x});
    }
    const auto expected =
        test::evaluate_exactly<Residue>(meaning.sum, numbers, [&](const Rational& x) {
          return Residue{&fields[lane], *fields[lane].residue(x)};
        });
    bool equal = expected.data.size() == out.lane(lane).size();
    for (std::size_t i = 0; equal && i < expected.data.size(); ++i)
      equal = expected.data[i].value == out.lane(lane)[i];
    CHECK(equal);
  }
}

void check_operator(const OpDef& def, Attrs attrs, const std::vector<Shape>& shapes) {
  const auto op = make_op(def, std::move(attrs));
  REQUIRE(op.ok());
  INFO(to_string(*op));
  const auto meaning = def.lower(*op, shapes);
  if (!meaning) FAIL(meaning.error().message);
  check_sum(*meaning, shapes);
}

Term term_of(Shape reduce, std::vector<Guard> guards, std::vector<Access> factors) {
  return {.coef = {},
          .reduce = std::move(reduce),
          .guards = std::move(guards),
          .factors = std::move(factors)};
}

TermPlan plan_of(const OpDef& def, Attrs attrs, const std::vector<Shape>& shapes) {
  const auto meaning = def.lower(*make_op(def, std::move(attrs)), shapes);
  REQUIRE(meaning.ok());
  return compile_term(meaning->sum.terms[0], meaning->sum.out, shapes);
}

TEST_CASE("Lanes that are alike are read as if each held its numbers") {
  const Shape shape = {48, 48};
  const std::size_t lanes = GENERATE(std::size_t{1}, std::size_t{3}, std::size_t{16});
  Rng rng(9);
  LaneTensor<double> x(shape, lanes);
  for (double& number : x.values()) number = static_cast<double>(rng.below(64)) - 32;
  auto once = LaneTensor<double>::alike(shape, lanes);
  LaneTensor<double> spread(shape, lanes);
  for (std::size_t i = 0; i < once.size(); ++i) {
    once.lane(0)[i] = static_cast<double>(rng.below(64)) - 32;
    for (std::size_t lane = 0; lane < lanes; ++lane) spread.lane(lane)[i] = once.lane(0)[i];
  }
  CHECK(once.values().size() == once.size());
  for (const OpDef* def : {&ops::mat_mul(), &ops::add(), &ops::mul()}) {
    const auto op = make_op(*def, {});
    REQUIRE(op.ok());
    const auto meaning = def->lower(*op, std::vector<Shape>{shape, shape});
    REQUIRE(meaning.ok());
    for (const std::size_t threads : {1U, 2U}) {
      const RealEvaluator<double> evaluator(Signs::Signed, Functions::Computed, threads, {}, lanes);
      for (const bool is_first : {true, false}) {
        const auto sum = [&](const LaneTensor<double>& constant) {
          const std::array<const LaneTensor<double>*, 2> operands = {is_first ? &constant : &x,
                                                                     is_first ? &x : &constant};
          auto out = evaluator.evaluate(*meaning, operands);
          REQUIRE(out.ok());
          return *std::move(out);
        };
        CHECK(std::ranges::equal(sum(once).values(), sum(spread).values()));
      }
    }
  }
}

TEST_CASE("Convolutions of every form are computed by the definition") {
  const OpDef& conv = ops::conv();
  SECTION("1-D") {
    check_operator(conv, {{"pads", Ints{2, 1}}, {"strides", Ints{2}}},
                   {{2, 3, 11}, {4, 3, 3}, {4}});
  }
  SECTION("2-D, padded") {
    check_operator(conv, {{"pads", Ints{1, 0, 2, 1}}}, {{2, 5, 7, 6}, {9, 5, 3, 3}, {9}});
  }
  SECTION("3-D") {
    check_operator(conv, {{"pads", Ints{1, 1, 1, 1, 1, 1}}, {"strides", Ints{1, 2, 1}}},
                   {{1, 2, 4, 5, 3}, {3, 2, 2, 3, 3}});
  }
  SECTION("grouped") {
    check_operator(conv, {{"group", std::int64_t{3}}}, {{2, 6, 5, 5}, {12, 2, 3, 3}});
  }
  SECTION("depthwise") {
    check_operator(conv, {{"group", std::int64_t{8}}, {"pads", Ints{1, 1, 1, 1}}},
                   {{2, 8, 6, 6}, {8, 1, 3, 3}});
  }
  SECTION("depthwise with a multiplier") {
    check_operator(conv, {{"group", std::int64_t{4}}}, {{1, 4, 6, 6}, {8, 1, 3, 3}});
  }
  SECTION("strided and dilated") {
    check_operator(conv,
                   {{"strides", Ints{2, 3}}, {"dilations", Ints{3, 2}}, {"pads", Ints{3, 3, 3, 3}}},
                   {{1, 3, 13, 11}, {5, 3, 3, 2}});
  }
  SECTION("many columns and few, more than one block") {
    check_operator(conv, {{"pads", Ints{1, 1, 1, 1}}}, {{2, 2, 40, 41}, {3, 2, 3, 3}});
  }
}

TEST_CASE("A grouped convolution is a batch of products and no loop") {
  const TermPlan plan =
      plan_of(ops::conv(), {{"group", std::int64_t{3}}}, {{2, 6, 5, 5}, {12, 2, 3, 3}});
  const auto how = plan_contraction(plan);
  REQUIRE(how.has_value());
  CHECK(how->batch.size == 3);
  CHECK(how->rows.size == 4);
  CHECK(how->columns.size == 2 * 3 * 3);
  CHECK(how->depth.size == 2 * 3 * 3);
}

TEST_CASE("Loops that go on evenly from one to the next are one loop") {
  const auto copied = plan_of(ops::reshape(), {{"shape", Ints{2, 12, 5}}}, {{2, 3, 4, 5}});
  CHECK(copied.extents == Shape{120});
  const auto turned = plan_of(ops::transpose(), {{"perm", Ints{2, 0, 1, 3}}}, {{6, 5, 4, 7}});
  CHECK(turned.extents == Shape{4, 30, 7});
  const auto product = plan_of(ops::conv(), {}, {{1, 3, 1, 8}, {2, 3, 1, 1}});
  CHECK(product.extents == Shape{2, 8, 3});
}

TEST_CASE("Tensors are turned by the definition, whichever of their axes is the longest") {
  const std::vector<Shape> shapes = {{3, 200, 2}, {300, 2, 3}, {2, 3, 300}, {1, 100, 200}};
  for (const Shape& shape : shapes) {
    for (const Ints& perm : {Ints{0, 2, 1}, Ints{1, 0, 2}, Ints{2, 1, 0}, Ints{2, 0, 1}})
      check_operator(ops::transpose(), {{"perm", perm}}, {shape});
  }
  check_operator(ops::add(), {}, {{40, 1, 900}, {1, 3, 1}});
}

TEST_CASE("Matrix products of every form are computed by the definition") {
  for (const std::int64_t a : {0, 1}) {
    for (const std::int64_t b : {0, 1}) {
      check_operator(
          ops::gemm(), {{"transA", a}, {"transB", b}, {"alpha", 0.3}},
          {a != 0 ? Shape{19, 33} : Shape{33, 19}, b != 0 ? Shape{21, 19} : Shape{19, 21}, {21}});
    }
  }
  check_operator(ops::mat_mul(), {}, {{4, 1, 5, 7}, {3, 7, 6}});
  check_operator(ops::mat_mul(), {}, {{7}, {3, 7, 6}});
  check_operator(ops::mat_mul(), {}, {{5, 7}, {7}});
}

TEST_CASE("A product deeper and wider than the packed blocks is computed by the definition") {
  check_operator(ops::mat_mul(), {}, {{2, 3000}, {3000, 17}});
  check_operator(ops::mat_mul(), {}, {{3, 20}, {20, 2500}});
  check_operator(ops::mat_mul(), {}, {{1, 100000}, {100000, 1}});
}

TEST_CASE("Reductions over any axes are computed by the definition") {
  for (int set = 0; set < 8; ++set) {
    Ints axes;
    for (int a = 0; a < 3; ++a) {
      if ((set >> a & 1) != 0) axes.push_back(a);
    }
    check_operator(ops::reduce_mean(), {{"axes", axes}, {"keepdims", std::int64_t{set % 2}}},
                   {{3, 4, 5}});
  }
  check_operator(ops::reduce_sum(), {{"axes", Ints{0}}}, {{40000, 3}});
}

TEST_CASE("Reshapes with and without common digits are computed by the definition") {
  const OpDef& reshape = ops::reshape();
  check_operator(reshape, {{"shape", Ints{6, 4}}}, {{4, 6}});
  check_operator(reshape, {{"shape", Ints{5, 6}}}, {{2, 3, 5}});
  check_operator(reshape, {{"shape", Ints{2, 12, 5}}}, {{2, 3, 4, 5}});
  check_operator(reshape, {{"shape", Ints{2, 2, 2, 3, 5}}}, {{4, 6, 5}});
  check_operator(reshape, {{"shape", Ints{120}}}, {{4, 6, 5}});
  CHECK(plan_of(reshape, {{"shape", Ints{6, 4}}}, {{4, 6}}).is_dense());
  CHECK_FALSE(plan_of(reshape, {{"shape", Ints{2, 12, 5}}}, {{2, 3, 4, 5}}).is_dense());
}

TEST_CASE("Guards and tables by position are computed by the definition") {
  check_operator(ops::concat(), {{"axis", std::int64_t{1}}},
                 {{2, 3, 4}, {2, 1, 4}, {2, 0, 4}, {2, 5, 4}});
  for (const std::int64_t counted : {0, 1}) {
    check_operator(ops::average_pool(),
                   {{"kernel_shape", Ints{3, 2}},
                    {"strides", Ints{2, 1}},
                    {"pads", Ints{1, 1, 1, 1}},
                    {"count_include_pad", counted}},
                   {{2, 3, 7, 6}});
  }
}

TEST_CASE("Tensors without elements and without axes are computed by the definition") {
  check_operator(ops::add(), {}, {{}, {}});
  check_operator(ops::add(), {}, {{0, 3}, {3}});
  check_operator(ops::mat_mul(), {}, {{0, 2}, {2, 3}});
  check_operator(ops::conv(), {{"group", std::int64_t{2}}}, {{0, 4, 5, 5}, {4, 2, 3, 3}, {4}});
  check_operator(ops::reshape(), {{"shape", Ints{0, 6}}}, {{2, 0, 3}});
  check_operator(ops::reduce_sum(), {{"axes", Ints{}}}, {{}});
  check_operator(ops::reduce_sum(), {{"axes", Ints{1}}}, {{2, 0}});
}

TEST_CASE("A bias beside a reduction counts once") {
  const auto op = make_op(ops::conv(), {});
  const auto meaning = ops::conv().lower(*op, std::vector<Shape>{{1, 1, 2, 2}, {1, 1, 2, 2}, {1}});
  const auto fields = two_primes();
  std::vector<ResidueTensor> operands = {
      {Shape{1, 1, 2, 2}, 2}, {Shape{1, 1, 2, 2}, 2}, {Shape{1}, 2}};
  operands[2] = test::of_lanes<std::uint32_t>({1}, {{7}, {7}});
  CHECK(test::lane_of(evaluated(*meaning, operands, fields, 1), 0) ==
        std::vector<std::uint32_t>{7});
}

// x[(o + 3) div 2] at o = 0 is x[1]: what an expression gives for 0 counts once, along whichever
// loop it lies.
TEST_CASE("An index that does not start at 0 is read where it says") {
  const IndexExpr shifted = div(v(0) + 3, 2);
  check_sum({{}, {{9}, {term_of({}, {}, {{0, {shifted}}})}}}, {{8}});
  check_sum({{}, {{9, 4}, {term_of({}, {}, {{0, {shifted, v(1)}}})}}}, {{8, 4}});
  check_sum({{}, {{9}, {term_of({}, {{mod(v(0) + 1, 4), 1, 3}}, {{0, {shifted}}})}}}, {{8}});
  check_sum({{}, {{9}, {term_of({5}, {}, {{0, {shifted, v(1)}}, {1, {v(1)}}})}}}, {{8, 5}, {5}});
}

TEST_CASE("A guard holds for a term that reads nothing") {
  check_sum({{}, {{6}, {term_of({}, {{v(0), 2, 4}}, {})}}}, {});
  check_sum({{}, {{6, 4}, {term_of({3}, {{v(0) + v(2), 0, 0, 2}}, {})}}}, {});
  check_sum({{}, {{6, 4}, {term_of({}, {{div(v(0) + v(1), 2), 1, 3}}, {})}}}, {});
}

TEST_CASE("Guards that mix axes hold in sums and in products") {
  const Guard even{v(0) - v(2), 0, 0, 2};        // (o - k) even: a dilated transposed convolution
  const Guard mixed{div(v(0) + v(2), 3), 1, 3};  // mixes axes by division: no table an axis
  for (const Guard& guard : {even, mixed}) {
    check_sum({{}, {{8, 3}, {term_of({4}, {guard}, {{0, {v(0), v(2)}}, {1, {v(2), v(1)}}})}}},
              {{8, 4}, {4, 3}});
    check_sum({{}, {{8, 3}, {term_of({4}, {guard}, {{0, {v(0), v(2)}}})}}}, {{8, 4}});
  }
  const Guard across{v(0) - v(1), -1, 2};  // rows against columns: a band matrix
  check_sum({{}, {{8, 3}, {term_of({4}, {across}, {{0, {v(0), v(2)}}, {1, {v(2), v(1)}}})}}},
            {{8, 4}, {4, 3}});
}

TEST_CASE("Tables along every kind of axis of a product are applied") {
  for (const int axis : {0, 1, 2, 3}) {
    Term term = term_of({3}, {}, {{0, {v(0), v(1), v(3)}}, {1, {v(0), v(3), v(2)}}});
    term.coef.scale = ratio(2, 3);
    const Shape extents = {2, 4, 5, 3};
    AxisTable table{axis, {}};
    for (Dim i = 0; i < extents[static_cast<std::size_t>(axis)]; ++i)
      table.values.push_back(ratio(1 + i, 7));
    term.coef.tables = {table};
    check_sum({{}, {{2, 4, 5}, {term}}}, {{2, 4, 3}, {2, 3, 5}});
  }
}

TEST_CASE(
    "A term of three factors and one that reads an operand twice are computed by the definition") {
  check_sum({{}, {{3, 4}, {term_of({5}, {}, {{0, {v(0), v(2)}}, {1, {v(2), v(1)}}, {2, {v(2)}}})}}},
            {{3, 5}, {5, 4}, {5}});
  check_sum({{}, {{3}, {term_of({5}, {}, {{0, {v(0), v(1)}}, {0, {v(0), v(1)}}})}}}, {{3, 5}});
  check_sum({{}, {{3, 3}, {term_of({5}, {}, {{0, {v(0), v(2)}}, {0, {v(1), v(2)}}})}}}, {{3, 5}});
}

TEST_CASE("A prime that divides a denominator is an error and no crash") {
  const auto fields = two_primes();
  Term term = term_of({}, {}, {});
  term.coef.scale = ratio(1, fields[1].prime());
  CHECK_FALSE(ResidueEvaluator(fields, digest_of("test", "secret"), 1)
                  .evaluate({{}, {{2}, {term}}}, {})
                  .ok());
}

TEST_CASE("Coefficients of a long double evaluation are rounded to long double") {
  Term term = term_of({}, {}, {});
  term.coef.scale = ratio(-1, 3);
  const auto wide = RealEvaluator<long double>(Signs::Signed, Functions::Computed, 1)
                        .evaluate({{}, {{}, {term}}}, {});
  CHECK(wide->lane(0)[0] == -1.0L / 3.0L);
  const auto narrow =
      RealEvaluator<double>(Signs::Signed, Functions::Computed, 1).evaluate({{}, {{}, {term}}}, {});
  CHECK(narrow->lane(0)[0] == -1.0 / 3.0);
}

TEST_CASE("Absolute signs make every coefficient positive") {
  const auto op = make_op(ops::sub(), {});
  const auto meaning = ops::sub().lower(*op, std::vector<Shape>{{2}, {2}});
  const auto a = test::of_lanes<double>({2}, {{5, 1}});
  const auto b = test::of_lanes<double>({2}, {{3, 4}});
  const std::vector<const LaneTensor<double>*> operands = {&a, &b};
  const auto out = [&](Signs signs) {
    return test::lane_of(
        *RealEvaluator<double>(signs, Functions::Computed, 1).evaluate(*meaning, operands), 0);
  };
  CHECK(out(Signs::Signed) == std::vector<double>{2, -3});
  CHECK(out(Signs::Absolute) == std::vector<double>{8, 5});
}

TEST_CASE("Functions replaced by One leave the sums around them") {
  const Shape x = {1, 2, 3};
  const auto op = make_op(ops::batch_normalization(), {});
  const auto meaning =
      ops::batch_normalization().lower(*op, std::vector<Shape>{x, {2}, {2}, {2}, {2}});
  const std::vector<LaneTensor<double>> operands = {
      test::of_lanes<double>(x, {{1, 2, 3, 4, 5, 6}}), test::of_lanes<double>({2}, {{2, 3}}),
      test::of_lanes<double>({2}, {{10, 20}}), test::of_lanes<double>({2}, {{1, 1}}),
      test::of_lanes<double>({2}, {{-7, 9}})};
  std::vector<const LaneTensor<double>*> pointers;
  for (const auto& operand : operands) pointers.push_back(&operand);
  const auto out =
      RealEvaluator<double>(Signs::Signed, Functions::One, 1).evaluate(*meaning, pointers);
  CHECK(test::lane_of(*out, 0) == std::vector<double>{10, 12, 14, 29, 32, 35});
  const auto sizes =
      RealEvaluator<double>(Signs::Absolute, Functions::One, 1).evaluate(*meaning, pointers);
  CHECK(test::lane_of(*sizes, 0) == std::vector<double>{14, 16, 18, 35, 38, 41});
}

TEST_CASE("Padding times an infinite weight is no number, on few lanes and on many") {
  const std::vector<Shape> shapes = {{1, 1, 3}, {1, 1, 3}};
  const auto meaning = ops::conv().lower(*make_op(ops::conv(), {{"pads", Ints{1, 1}}}), shapes);
  REQUIRE(meaning);
  for (const std::size_t lanes : {1U, 32U}) {
    LaneTensor<double> x(shapes[0], lanes);
    LaneTensor<double> w(shapes[1], lanes);
    std::ranges::fill(x.values(), 1);
    for (std::size_t lane = 0; lane < lanes; ++lane) w.lane(lane)[0] = INFINITY;
    const std::vector<const LaneTensor<double>*> operands = {&x, &w};
    const auto y = RealEvaluator<double>(Signs::Signed, Functions::Computed, 1, {}, lanes)
                       .evaluate(*meaning, operands);
    REQUIRE(y);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      CHECK(std::isnan(y->lane(lane)[0]));
      CHECK(y->lane(lane)[1] == INFINITY);
    }
  }
}

TEST_CASE("An evaluation that is stopped says so and has no result") {
  const Shape x = {4, 8};
  const Shape w = {8, 4};
  std::stop_source stop;
  for (const OpDef* op : {&ops::mat_mul(), &ops::add()}) {  // a contraction, and loops
    const std::vector<Shape> shapes = {x, op == &ops::add() ? x : w};
    const auto meaning = op->lower(*make_op(*op, {}), shapes);
    REQUIRE(meaning);
    LaneTensor<double> a(shapes[0], 1);
    LaneTensor<double> b(shapes[1], 1);
    const std::vector<const LaneTensor<double>*> operands = {&a, &b};
    const auto run = [&](const std::stop_token& token) {
      return RealEvaluator<double>(Signs::Signed, Functions::Computed, 1, token)
          .evaluate(*meaning, operands);
    };
    CHECK(run({}).ok());
    if (op == &ops::mat_mul()) CHECK(run(stop.get_token()).ok());
    stop.request_stop();
    const auto stopped = run(stop.get_token());
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().kind == ErrorKind::Stopped);
  }
}

}  // namespace
}  // namespace pet
