// Rules: what they are read from, the sizes that are drawn for them, and where they are right. Over
// 400 lines: one rule that once was judged wrongly after another.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "core/rewrite/draw.h"
#include "tests/support/seeded.h"
#include "verify/bitmap/bitmap_engine.h"
#include "verify/exact/exact_engine.h"
#include "verify/rules/find_condition.h"
#include "verify/rules/rule_check.h"

using namespace pet;
using namespace pet::rules;

namespace {

// One operator after the other, each reading what `operands` say: names of inputs, or numbers of
// operators before it.
struct OpText {
  std::string name;
  std::vector<std::string> operands;
  std::string attrs = "{}";
};

std::string program(const std::vector<OpText>& ops) {
  std::string out = R"({"ops": [)";
  for (std::size_t i = 0; i < ops.size(); ++i) {
    out += (i == 0 ? "" : ", ") + (R"({"op": ")" + ops[i].name) + R"(", "attrs": )" + ops[i].attrs +
           R"(, "inputs": [)";
    for (std::size_t k = 0; k < ops[i].operands.size(); ++k) {
      const std::string& from = ops[i].operands[k];
      const bool is_number = from.find_first_not_of("0123456789") == std::string::npos;
      out += (k == 0 ? "" : ", ") +
             (is_number ? R"({"op": )" + from + "}" : R"({"in": ")" + from + R"("})");
    }
    out += "]}";
  }
  return out + R"(], "outputs": [{"op": )" + std::to_string(ops.size() - 1) + "}]}";
}

Rule rule(const std::vector<std::pair<std::string, int>>& inputs, const std::vector<OpText>& source,
          const std::vector<OpText>& target) {
  std::string names;
  for (const auto& [name, rank] : inputs) {
    names += (names.empty() ? "" : ", ") + (R"({"name": ")" + name) + R"(", "rank": )" +
             std::to_string(rank) + "}";
  }
  const auto file = parse_rules(
      R"({"format": "tensor-rules/1", "rules": [{"id": "r", "inputs": [)" + names +
          R"(], "source": )" + program(source) + R"(, "target": )" + program(target) + "}]}",
      "test");
  REQUIRE((file ? "" : file.error().message) == "");
  return file->rules.front();
}

RuleVerdict checked_by(std::span<Engine* const> engines, const Rule& rule, std::uint64_t seed) {
  auto verdict = check_rule(rule, engines, {}, seed);
  REQUIRE((verdict ? "" : verdict.error().message) == "");
  CHECK(verdict->tried.size() >= 2);
  return *std::move(verdict);
}

RuleVerdict checked(const Rule& rule, std::uint64_t seed) {
  BitmapEngine bitmap;
  ExactEngine exact;
  const std::array<Engine*, 2> engines = {&bitmap, &exact};
  return checked_by(engines, rule, seed);
}

const std::string kSame = R"({"stride_h": 1, "stride_w": 1, "padding": "SAME"})";

}  // namespace

TEST_CASE("A rule that is right at all sizes is equivalent") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  const auto verdict =
      checked(rule({{"a", 2}, {"b", 2}, {"c", 2}}, {{"matmul", {"a", "b"}}, {"matmul", {"0", "c"}}},
                   {{"matmul", {"b", "c"}}, {"matmul", {"a", "0"}}}),
              rng.drawn);
  CHECK(verdict.outcome == RuleOutcome::Equivalent);
  CHECK(verdict.log2_error <= -64);
  CHECK(condition_of(verdict).empty());
}

TEST_CASE("A rule that is right nowhere is different, whatever sizes are drawn") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  const auto verdict = checked(
      rule({{"a", 2}, {"b", 2}}, {{"ewmul", {"a", "b"}}}, {{"ewadd", {"a", "b"}}}), rng.drawn);
  CHECK(verdict.outcome == RuleOutcome::Different);
}

TEST_CASE("Convolutions of concatenated channels: right where groups have equally many features") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  const auto verdict = checked(rule({{"x", 4}, {"y", 4}, {"v", 4}, {"w", 4}},
                                    {{"conv2d", {"x", "v"}, kSame},
                                     {"conv2d", {"y", "w"}, kSame},
                                     {"concat", {"0", "1"}, R"({"axis": 1})"}},
                                    {{"concat", {"x", "y"}, R"({"axis": 1})"},
                                     {"concat", {"v", "w"}, R"({"axis": 0})"},
                                     {"conv2d", {"0", "1"}, kSame}}),
                               rng.drawn);
  CHECK(verdict.outcome == RuleOutcome::Conditional);
  CHECK(condition_of(verdict) == "v[0] / (x[1] / v[1]) = w[0] / (y[1] / w[1])");
}

TEST_CASE("Features of one input are merged right only where there is one group") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  const auto verdict =
      checked(rule({{"x", 4}, {"v", 4}, {"w", 4}},
                   {{"conv2d", {"x", "v"}, kSame},
                    {"conv2d", {"x", "w"}, kSame},
                    {"concat", {"0", "1"}, R"({"axis": 1})"}},
                   {{"concat", {"v", "w"}, R"({"axis": 0})"}, {"conv2d", {"x", "0"}, kSame}}),
              rng.drawn);
  CHECK(verdict.outcome == RuleOutcome::Conditional);
  CHECK(condition_of(verdict) == "x[1] / v[1] = 1");
}

TEST_CASE("A weight is merged in as many groups as all convolutions read it in") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  const std::string pairs = R"({"count": 2})";
  const auto verdict = checked(rule({{"x", 4}, {"y", 4}, {"w", 4}},
                                    {{"conv2d", {"y", "w"}, kSame},
                                     {"conv2d", {"x", "w"}, kSame},
                                     {"concat", {"0", "1"}, R"({"axis": 0})"}},
                                    {{"conv2d", {"y", "w"}, kSame},
                                     {"merge_gconv", {"w"}, pairs},
                                     {"conv2d", {"x", "1"}, kSame},
                                     {"concat", {"0", "2"}, R"({"axis": 0})"}}),
                               rng.drawn);
  CHECK(verdict.outcome == RuleOutcome::Equivalent);
}

TEST_CASE("A kernel in the middle of a larger one reads the same where its middle stays in place") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  const auto verdict =
      checked(rule({{"x", 4}, {"w", 4}, {"like", 4}}, {{"conv2d", {"x", "w"}, kSame}},
                   {{"enlarge", {"w", "like"}}, {"conv2d", {"x", "0"}, kSame}}),
              rng.drawn);
  CHECK(verdict.outcome == RuleOutcome::Conditional);
  CHECK(condition_of(verdict) ==
        "(w[2] is odd or like[2] is even) and (w[3] is odd or like[3] is even)");
}

TEST_CASE("A condition is the smallest that tells right from wrong, and none where there is none") {
  const auto sample = [](Dim a, Dim b, bool right) { return Sample{{{"a", a}, {"b", b}}, right}; };
  const std::vector<Sample> equal = {sample(2, 2, true), sample(3, 3, true), sample(2, 3, false),
                                     sample(4, 2, false)};
  const auto found = find_condition(equal);
  REQUIRE(found);
  CHECK(to_string(*found, equal.front().quantities) == "a = b");
  CHECK(!find_condition(std::vector{sample(2, 3, true), sample(2, 3, false)}));
}

TEST_CASE("Sizes fulfil every equation that was put") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  for (int i = 0; i < 100; ++i) {
    Sizes sizes;
    const Size a = sizes.unknown(1, 6);
    const Size b = sizes.unknown(1, 6);
    const Size c = sizes.unknown(1, 6);
    sizes.equal(a + b, c * 2);
    sizes.at_least(a - b, 0);
    const auto equations = sizes.solved();
    REQUIRE(equations);
    const auto values = sizes.draw(*equations, rng, true);
    if (!values) continue;
    CHECK(a.at(*values) + b.at(*values) == 2 * c.at(*values));
    CHECK(a.at(*values) >= b.at(*values));
    CHECK(std::all_of(values->begin(), values->end(), [](Dim x) { return x >= 1; }));
  }
  Sizes contradiction;
  const Size a = contradiction.unknown(1, 6);
  contradiction.equal(a, a + 1);
  CHECK(!contradiction.solved());
}

TEST_CASE("A rule that makes no sense is refused, and its numbers are not believed") {
  BitmapEngine bitmap;
  const std::array<Engine*, 1> engines = {&bitmap};
  for (const char* perm : {"[5, 0]", "[1099511627776, 0]", "[0]", "[0, 0]", "[0, 1, 2]"}) {
    INFO(perm);
    const std::string attrs = std::string(R"({"perm": )") + perm + "}";
    const Rule turned = rule({{"x", 2}}, {{"transpose", {"x"}, attrs}}, {{"relu", {"x"}}});
    CHECK_FALSE(check_rule(turned, engines, {}, 1).ok());
  }
  // A size that doubles with every operator.
  std::vector<OpText> ops = {{"concat", {"x", "x"}, R"({"axis": 0})"}};
  while (ops.size() < 64) {
    const std::string last = std::to_string(ops.size() - 1);
    ops.push_back({"concat", {last, last}, R"({"axis": 0})"});
  }
  CHECK_FALSE(check_rule(rule({{"x", 1}}, ops, ops), engines, {}, 1).ok());
}

TEST_CASE("Who asks to stop does not wait for sizes") {
  BitmapEngine bitmap;
  const std::array<Engine*, 1> engines = {&bitmap};
  std::stop_source stop;
  stop.request_stop();
  ProofOptions options;
  options.stop = stop.get_token();
  const Rule good = rule({{"x", 2}}, {{"relu", {"x"}}}, {{"relu", {"x"}}});
  const auto verdict = check_rule(good, engines, options, 1);
  REQUIRE_FALSE(verdict.ok());
  CHECK(verdict.error().kind == ErrorKind::Stopped);
}

TEST_CASE("Of groups that are merged several are left, however many become one") {
  // Two sums of convolutions as one: right where each merged weight is one group.
  const std::string merged = R"({"count": 5})";
  const Rule sum = rule({{"x", 4}, {"y", 4}, {"w", 4}, {"v", 4}},
                        {{"conv2d", {"x", "w"}}, {"conv2d", {"y", "v"}}, {"ewadd", {"0", "1"}}},
                        {{"concat", {"x", "y"}, R"({"axis": 1})"},
                         {"merge_gconv", {"w"}, merged},
                         {"merge_gconv", {"v"}, merged},
                         {"concat", {"1", "2"}, R"({"axis": 1})"},
                         {"conv2d", {"0", "3"}}});
  BitmapEngine bitmap;
  const std::array<Engine*, 1> engines = {&bitmap};
  const RuleVerdict verdict = checked_by(engines, sum, 1);
  CHECK(verdict.outcome == RuleOutcome::Conditional);
  CHECK(condition_of(verdict).find("groups of conv2d 1 of the target = 1") != std::string::npos);
}

TEST_CASE("What holds where all sizes are 1 is not wrong everywhere") {
  const Rule turned = rule({{"x", 4}}, {{"relu", {"x"}}},
                           {{"relu", {"x"}}, {"transpose", {"0"}, R"({"perm": [3, 2, 1, 0]})"}});
  CHECK(checked(turned, 1).outcome != RuleOutcome::Different);
}

TEST_CASE("Sizes of 1 are met behind two strides, too") {
  const std::string three =
      R"({"kernel_h": 3, "kernel_w": 3, "stride_h": 3, "stride_w": 3, "padding": "SAME"})";
  const std::string one =
      R"({"kernel_h": 1, "kernel_w": 1, "stride_h": 3, "stride_w": 3, "padding": "SAME"})";
  const Rule exchanged = rule({{"x", 4}}, {{"poolavg", {"x"}, three}, {"poolavg", {"0"}, one}},
                              {{"poolavg", {"x"}, one}, {"poolavg", {"0"}, three}});
  for (const std::uint64_t seed : {1U, 3U, 4U}) {
    const RuleVerdict verdict = checked(exchanged, seed);
    CHECK(verdict.outcome == RuleOutcome::Conditional);
    CHECK(condition_of(verdict) == "x[2] = 1 and x[3] = 1");
  }
}

TEST_CASE("Constants of many axes are not made before it is known how large they are") {
  const Rule ones = rule({{"x", 8}}, {{"const_one", {}, R"({"rank": 8})"}, {"ewmul", {"x", "0"}}},
                         {{"const_one", {}, R"({"rank": 8})"}, {"ewmul", {"0", "x"}}});
  CHECK(checked(ones, 1).outcome == RuleOutcome::Equivalent);
}

TEST_CASE("A window larger than sizes are drawn by themselves is seen from inside, too") {
  // Large sizes: no exact engine.
  BitmapEngine bitmap;
  const std::array<Engine*, 1> engines = {&bitmap};
  // Right as long as the window covers all that there is.
  const std::string pool = R"({"kernel_h": 11, "kernel_w": 1, "padding": "SAME"})";
  const Rule wrong =
      rule({{"x", 4}, {"y", 4}},
           {{"poolavg", {"x"}, pool}, {"ewmul", {"0", "y"}}, {"poolavg", {"1"}, pool}},
           {{"poolavg", {"x"}, pool}, {"poolavg", {"y"}, pool}, {"ewmul", {"0", "1"}}});
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    CHECK(checked_by(engines, wrong, seed).outcome != RuleOutcome::Equivalent);
  const std::string stride = R"({"kernel_h": 16, "kernel_w": 1, "stride_h": 3, "padding": "SAME"})";
  const Rule strided =
      rule({{"x", 4}, {"y", 4}},
           {{"poolavg", {"x"}, pool}, {"ewmul", {"0", "y"}}, {"poolavg", {"1"}, stride}},
           {{"poolavg", {"x"}, stride}, {"poolavg", {"y"}, stride}, {"ewmul", {"0", "1"}}});
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    CHECK(checked_by(engines, strided, seed).outcome != RuleOutcome::Equivalent);
}

TEST_CASE("What is wrong along three axes together is met where all of them are wrong") {
  // Averages of three, of which every second one of every second: one pool of stride 4 does the
  // same, unless the last window has one place of three. Products of such differences are wrong
  // only where all of them are.
  const auto pool = [](const std::string& axis, int kernel, int stride) {
    const std::string other = axis == "h" ? "w" : "h";
    return R"({"kernel_)" + axis + R"(": )" + std::to_string(kernel) + R"(, "stride_)" + axis +
           R"(": )" + std::to_string(stride) + R"(, "kernel_)" + other + R"(": 1, "stride_)" +
           other + R"(": 1, "padding": "SAME"})";
  };
  // Sums of products of an even, or odd, number of one-step averages.
  const auto sum = [&](int parity) {
    std::vector<OpText> ops;
    const auto last = [&] { return std::to_string(ops.size() - 1); };
    const auto averaged = [&](const std::string& of, const std::string& axis, int steps) {
      if (steps == 1) {
        ops.push_back({"poolavg", {of}, pool(axis, 3, 4)});
      } else {
        ops.push_back({"poolavg", {of}, pool(axis, 3, 2)});
        ops.push_back({"poolavg", {last()}, pool(axis, 1, 2)});
      }
      return last();
    };
    std::string total;
    for (int choice = 0; choice < 8; ++choice) {
      const int ones = (choice & 1) + (choice >> 1 & 1) + (choice >> 2 & 1);
      if (ones % 2 != parity) continue;
      const auto steps = [&](int axis) { return (choice >> axis & 1) == 1 ? 1 : 2; };
      const std::string x = averaged(averaged("x", "h", steps(0)), "w", steps(1));
      ops.push_back({"ewmul", {x, averaged("y", "h", steps(2))}});
      const std::string product = last();
      if (!total.empty()) ops.push_back({"ewadd", {total, product}});
      total = last();
    }
    return ops;
  };
  BitmapEngine bitmap;
  const std::array<Engine*, 1> engines = {&bitmap};
  const Rule wrong = rule({{"x", 4}, {"y", 4}}, sum(0), sum(1));
  constexpr std::uint64_t kSeed = 2;  // whose draws alone do not meet it
  CHECK(checked_by(engines, wrong, kSeed).outcome != RuleOutcome::Equivalent);
}

TEST_CASE("A condition is looked at with other groups than those that it was found with") {
  // Features of one input merged, and a stride forgotten.
  const std::string stride = R"({"stride_h": 3, "padding": "SAME"})";
  const Rule strided =
      rule({{"x", 4}, {"v", 4}, {"w", 4}},
           {{"conv2d", {"x", "v"}, stride},
            {"conv2d", {"x", "w"}, stride},
            {"concat", {"0", "1"}, R"({"axis": 1})"}},
           {{"concat", {"v", "w"}, R"({"axis": 0})"}, {"conv2d", {"x", "0"}, kSame}});
  BitmapEngine bitmap;
  const std::array<Engine*, 1> engines = {&bitmap};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const RuleVerdict verdict = checked_by(engines, strided, seed);
    CHECK(verdict.outcome == RuleOutcome::Conditional);
    CHECK(condition_of(verdict) == "x[1] / v[1] = 1 and x[2] = 1");
  }
}

TEST_CASE(
    "Where the sizes at which a rule is wrong are too large to be looked at nothing is known") {
  // Means over sixteen and over fifteen rows, added up: the same up to eight rows, of squares with
  // so many channels that there are no larger ones.
  const auto sum = [](const char* rows, const std::vector<OpText>& more) {
    std::vector<OpText> out = {{"concat", {"x", "x"}, R"({"axis": 1})"}};
    while (out.size() < 10) {
      const std::string last = std::to_string(out.size() - 1);
      out.push_back({"concat", {last, last}, R"({"axis": 1})"});
    }
    out.push_back(
        {"poolavg", {"9"}, R"({"kernel_h": )" + std::string(rows) + R"(, "kernel_w": 1})"});
    out.insert(out.end(), more.begin(), more.end());
    const std::string last = std::to_string(out.size() - 1);
    out.push_back({"transpose", {"9"}, R"({"perm": [0, 1, 3, 2]})"});
    out.push_back({"ewadd", {last, std::to_string(out.size() - 1)}});
    return out;
  };
  const Rule square = rule({{"x", 4}},
                           sum("16", {{"ewadd", {"10", "10"}},
                                      {"ewadd", {"11", "11"}},
                                      {"ewadd", {"12", "12"}},
                                      {"ewadd", {"13", "13"}}}),
                           sum("15", {{"ewadd", {"10", "10"}},
                                      {"ewadd", {"10", "11"}},
                                      {"ewadd", {"11", "11"}},
                                      {"ewadd", {"12", "13"}},
                                      {"ewadd", {"13", "13"}},
                                      {"ewadd", {"14", "15"}}}));
  BitmapEngine bitmap;
  const std::array<Engine*, 1> engines = {&bitmap};
  const RuleVerdict verdict = checked_by(engines, square, 1);
  CHECK(verdict.outcome == RuleOutcome::Unknown);
  CHECK(verdict.reason.find("too large to be looked at") != std::string::npos);
}

TEST_CASE("An attribute that an operator does not have, or not so, is not left out") {
  BitmapEngine bitmap;
  const std::array<Engine*, 1> engines = {&bitmap};
  const auto refused = [&](const OpText& op) {
    const Rule one = rule({{"x", 4}, {"w", 4}}, {op}, {{op.name, op.operands}});
    const auto verdict = check_rule(one, engines, {}, 1);
    INFO(op.name << " " << op.attrs);
    REQUIRE_FALSE(verdict.ok());
    CHECK(verdict.error().kind == ErrorKind::Malformed);
  };
  refused({"conv2d", {"x", "w"}, R"({"stride_h": "2"})"});
  refused({"conv2d", {"x", "w"}, R"({"strides": [2, 2]})"});
  refused({"conv2d", {"x", "w"}, R"({"groups": 2})"});
  refused({"conv2d", {"x", "w"}, R"({"padding": 1})"});
  refused({"conv2d", {"x", "w"}, R"({"activation": 1})"});
  refused({"conv2d", {"x", "w"}, R"({"activations": "RELU"})"});
  refused({"ewadd", {"x", "x"}, R"({"activation": "RELU"})"});
  refused({"concat", {"x", "x"}, R"({"num_inputs": 3})"});
}

TEST_CASE("A rule that names its condition is right where that holds, and asked nowhere else") {
  // Right where the kernel is one element, and by chance where everything is zero.
  const std::string window = R"({"kernel_h": 3, "kernel_w": 3, "padding": "SAME"})";
  Rule pool =
      rule({{"x", 4}, {"w", 4}}, {{"conv2d", {"x", "w"}, kSame}, {"poolavg", {"0"}, window}},
           {{"poolavg", {"x"}, window}, {"conv2d", {"0", "w"}, kSame}});
  pool.condition = "w[2] = 1 and w[3] = 1";
  const RuleVerdict right = checked(pool, 3);
  CHECK(right.outcome == RuleOutcome::Conditional);
  CHECK(condition_of(right) == pool.condition);
  pool.condition = "w[2] = 1";
  CHECK(checked(pool, 3).outcome == RuleOutcome::Different);
  pool.condition = "v[2] = 1";
  CHECK_FALSE(check_rule(pool, {}, {}, 3).ok());
}
