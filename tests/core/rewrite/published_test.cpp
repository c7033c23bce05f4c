// Published rules, under the conditions that verification found (datasets/rules/verdicts.md),
// applied to programs that hold their sources.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <set>

#include "core/rewrite/draw.h"
#include "tests/core/rewrite/rules.h"
#include "tests/support/seeded.h"
#include "verify/exact/exact_engine.h"

using namespace pet;
using namespace pet::rules;

namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// By rule: what the table's line has in its third column, of those that are right somewhere.
std::map<std::string, std::string> conditions() {
  std::map<std::string, std::string> out;
  std::ifstream table(std::filesystem::path(PET_RULES) / "verdicts.md");
  for (std::string line; std::getline(table, line);) {
    std::vector<std::string> cells;
    for (std::size_t at = 0; at < line.size();) {
      const auto end = std::min(line.find('|', at), line.size());
      cells.push_back(trimmed(line.substr(at, end - at)));
      at = end + 1;
    }
    if (cells.size() > 3 && (cells[2] == "equivalent" || cells[2] == "conditional"))
      out[cells[1]] = cells[3];
  }
  return out;
}

std::vector<UsableRule> published_rules(const std::string& name) {
  static const auto known = conditions();
  const auto file = read_rules(std::filesystem::path(PET_RULES) / (name + ".json"));
  REQUIRE(file.ok());
  std::vector<UsableRule> out;
  for (const Rule& rule : file->rules) {
    CAPTURE(rule.id);
    REQUIRE(known.contains(rule.id));
    auto made = usable(rule, known.at(rule.id));
    INFO((made ? "" : made.error().message));
    REQUIRE(made.ok());
    out.push_back(*std::move(made));
  }
  return out;
}

Outcome compared(const Graph& original, const Graph& rewritten) {
  return ExactEngine().check(original, rewritten, {}).outcome;
}

bool is_wrong(Outcome outcome) {
  return outcome == Outcome::Different || outcome == Outcome::Partial ||
         outcome == Outcome::ShapeMismatch;
}

// A match of the source with itself.
Match itself(std::size_t rule, const Graph& source) {
  return {rule, {source.inputs(), source.outputs()}};
}

struct Seen {
  std::size_t applied = 0, refused = 0, wrong = 0, missed = 0;
};

// One rule at sizes that are drawn for it: is it applied exactly where its condition holds?
void apply_to_itself(Rewriter& rewriter, std::size_t number, Rng& rng, Seen& seen) {
  const UsableRule& rule = rewriter.rules()[number];
  const auto drawn = draw(rule.rule, rng, {.is_widened = false, .attempts = 300});
  REQUIRE(drawn.ok());
  if (!drawn->instance) return;
  const Graph& source = drawn->instance->source;
  const Match match = itself(number, source);
  const auto readers = source.consumers();
  const bool reads_all =
      std::ranges::all_of(source.inputs(), [&](NodeId id) { return !readers[id.index()].empty(); });
  if (!reads_all) return;
  const auto decided = rewriter.decide(source, match);
  const bool holds = rule.condition.holds(drawn->instance->quantities);
  CAPTURE(rule.rule.id, to_string(decided.fit), to_string(source));
  if (decided.fit == Fit::ConditionFails || decided.fit == Fit::OtherTypes) {
    CHECK_FALSE((holds && decided.fit == Fit::ConditionFails));
    ++seen.refused;
    return;
  }
  if (decided.fit != Fit::Fits) {
    seen.missed += decided.fit == Fit::ChangesNothing ? 0 : 1;
    return;
  }
  CHECK(holds);
  const auto matches = rewriter.matches(source);
  CHECK(std::ranges::find(matches, match) != matches.end());
  const auto made = Rewriter::applied(source, match, *decided.instance);
  if (!made) return;  // two results of the source are one value here
  CAPTURE(to_string(*made));
  if (is_wrong(compared(source, *made))) ++seen.wrong;
  ++seen.applied;
}

TEST_CASE("A published rule is applied to its own source, exactly where its condition holds") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  for (const char* name : {"taso_graph_subst", "tensat_rules", "taso_properties"}) {
    CAPTURE(name);
    Rewriter rewriter(published_rules(name));
    Seen seen;
    for (std::size_t number = 0; number < rewriter.rules().size(); ++number)
      for (int i = 0; i < 3; ++i) apply_to_itself(rewriter, number, rng, seen);
    CHECK(seen.wrong == 0);
    CHECK(seen.applied > rewriter.rules().size());
    CHECK(seen.refused > 0);
    CHECK(seen.missed < rewriter.rules().size() / 2);
  }
}

TEST_CASE("Whatever published rules make of each other's sources is equal to them") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  for (const char* name : {"taso_graph_subst", "tensat_rules"}) {
    Rewriter rewriter(published_rules(name));
    std::set<std::size_t> used;
    std::size_t applied = 0;
    for (int i = 0; i < 40; ++i) {
      const std::size_t of = rng.below(rewriter.rules().size());
      const auto drawn =
          draw(rewriter.rules()[of].rule, rng, {.is_widened = false, .attempts = 300});
      REQUIRE(drawn.ok());
      if (!drawn->instance) continue;
      const Graph& program = drawn->instance->source;
      for (const Match& match : rewriter.matches(program)) {
        if (rng.below(3) != 0) continue;
        const auto decided = rewriter.decide(program, match);
        if (decided.fit != Fit::Fits) continue;
        const auto made = Rewriter::applied(program, match, *decided.instance);
        if (!made) continue;
        CAPTURE(rewriter.rules()[match.rule].rule.id, to_string(program), to_string(*made));
        REQUIRE_FALSE(is_wrong(compared(program, *made)));
        used.insert(match.rule);
        ++applied;
      }
    }
    CHECK(applied > 40);
    CHECK(used.size() > 20);
  }
}

}  // namespace
