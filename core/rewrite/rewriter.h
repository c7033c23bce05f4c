// Rules applied to programs. What was verified is what is applied: a rule fits a place where its
// source, built at the place's shapes by the code that builds it for verification (instance.h), is
// operator for operator, by meaning, what stands there, and where its condition holds; its target,
// built by the same code, takes the place.
#pragma once

#include <map>
#include <memory>

#include "core/rewrite/pattern.h"

namespace pet::rules {

// A rule that was found right where its condition holds (everywhere, if it has none).
struct UsableRule {
  Rule rule;
  Condition condition;
  Pattern pattern;
};

// `condition`: its text. An Error where it does not speak of the rule, or the rule makes no sense.
Result<UsableRule> usable(const Rule& rule, const std::string& condition);

struct Match {
  std::size_t rule = 0;  // by its number
  Place place;
  auto operator<=>(const Match&) const = default;
};

// Why a rule is applied at a place, or not.
enum class Fit { Fits, OtherSizes, OtherOperators, ConditionFails, ChangesNothing, OtherTypes };
std::string_view to_string(Fit fit);

// An instance is known by the rule and the shapes at which it is used.
struct Use {
  std::size_t rule = 0;
  std::map<std::string, Shape> shapes;
  auto operator<=>(const Use&) const = default;
};

class Rewriter {
 public:
  explicit Rewriter(std::vector<UsableRule> rules) : rules_(std::move(rules)) {}

  const std::vector<UsableRule>& rules() const { return rules_; }
  // Every place at which the structure of a source stands, rule by rule.
  std::vector<Match> matches(const Graph& program) const;

  // What shapes alone decide: whether the rule makes sense at them, changes something, and its
  // condition holds.
  struct Fitting {
    Fit fit = Fit::OtherSizes;
    const Instance* instance = nullptr;  // null: of OtherSizes
  };
  // Instances are built once.
  Fitting fitting(const Use& use);

  struct Decided {
    Fit fit = Fit::OtherSizes;
    Use use;
    const Instance* instance = nullptr;  // where it fits
  };
  // REQUIRES: the match is of this program
  Decided decide(const Graph& program, const Match& match);

  // The program with the instance's target in the place of its source; names stay where values do.
  // An Error where a value would be made of itself. REQUIRES: the match was decided to fit
  static Result<Graph> applied(const Graph& program, const Match& match, const Instance& instance);

 private:
  struct Known {
    Fit fit = Fit::OtherSizes;
    std::unique_ptr<const Instance> instance;  // null: it makes no sense there
  };

  std::vector<UsableRule> rules_;
  std::map<Use, Known> known_;
};

}  // namespace pet::rules
