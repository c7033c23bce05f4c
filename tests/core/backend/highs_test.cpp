// The solver behind its worker: optima of small problems, held against trying everything; workers
// that misbehave.
#include "core/backend/highs.h"

#include <catch2/catch.hpp>

#include "core/egraph/extract/extractor.h"
#include "tests/core/egraph/random_problem.h"
#include "tests/support/seeded.h"

using namespace pet;
using namespace pet::egraph;

namespace {

void check_optima(int rounds) {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  Highs solver;
  for (int round = 0; round < rounds; ++round) {
    const Problem problem = test::random_problem(rng);
    const auto answer = extract(problem, Extractor::Ilp, &solver, {}, {});
    INFO(answer.why);
    REQUIRE(answer.is_optimal);
    REQUIRE(*answer.cost == test::Exhaustive(problem).optimum());
    REQUIRE(*answer.bound == Approx(*answer.cost));
  }
}

TEST_CASE("Integer programs find the best choice there is") { check_optima(300); }

TEST_CASE("Integer programs find the best choice of many random e-graphs", "[.full]") {
  check_optima(20'000);
}

// Two columns, of which one has to be taken.
IlpModel either() {
  IlpModel out;
  out.columns = {{2, 0, 1, true}, {1, 0, 1, true}};
  out.rows = {{{{0, 1}, {1, 1}}, 1, 1}};
  return out;
}

TEST_CASE("What cannot be solved is an Error, and the next question is answered") {
  Highs solver;
  IlpModel impossible = either();
  impossible.rows.push_back({{{0, 1}, {1, 1}}, 2, 2});
  const auto none = solver.solve(impossible, {}, {}, {});
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().kind == ErrorKind::Tool);
  const auto answer = solver.solve(either(), {}, {}, {});
  REQUIRE(answer.ok());
  CHECK(answer->end == IlpEnd::Optimal);
  CHECK(answer->values == std::vector<double>{0, 1});
}

TEST_CASE("A stop ends the solver") {
  Highs solver;
  std::stop_source stop;
  stop.request_stop();
  const auto answer = solver.solve(either(), {}, {}, stop.get_token());
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().kind == ErrorKind::Stopped);
}

// A worker that says this and then sleeps.
Result<IlpAnswer> told(const std::string& lines) {
  Highs solver({"sh", "-c", lines + "; sleep 60"});
  return solver.solve(either(), {}, {.seconds = 1}, {});
}

TEST_CASE("Workers that misbehave are Errors") {
  const std::string hello = R"(echo '{"hello": {"solver": "x", "version": "1", "protocol": 1}}')";
  CHECK(told("exit 3").error().kind == ErrorKind::Tool);
  CHECK(told("echo warning").error().message.find("nonsense") != std::string::npos);
  CHECK(told(R"(echo '{"hello": {"protocol": 9}}')").error().message.find("nonsense") !=
        std::string::npos);
  CHECK(told(R"(echo '{"error": "no highspy"}')").error().message == "no highspy");
  CHECK(told(hello + "; read x; exit 1").error().kind == ErrorKind::Tool);
  CHECK(told(hello + "; read x; echo '{'").error().message.find("nonsense") != std::string::npos);
  CHECK(
      told(hello + R"(; read x; echo '{"id": 9, "ok": true}')").error().message.find("nonsense") !=
      std::string::npos);
  CHECK(told(hello + R"(; read x; echo '{"id": 1, "ok": false, "error": "too large"}')")
            .error()
            .message == "the solver: too large");
  CHECK(told(hello + R"(; read x; echo '{"id": 1, "ok": true, "end": "optimal", "values": "all"}')")
            .error()
            .message.find("nonsense") != std::string::npos);
}

}  // namespace
