// Rewrite rules as files of the format tensor-rules/1 have them: two programs over inputs of given
// ranks, of any sizes that make sense.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/shape.h"
#include "core/util/result.h"

namespace pet::rules {

struct RuleInput {
  std::string name;
  std::size_t rank = 0;
};

// An input of the rule, or a result of one of its operators.
struct Reference {
  std::string input;  // empty: of an operator
  std::size_t op = 0;
  std::size_t output = 0;
};

using RuleAttr = std::variant<Dim, std::string, std::vector<Dim>>;

struct RuleOp {
  std::string name;
  std::vector<Reference> operands;
  std::map<std::string, RuleAttr> attrs;

  Dim integer(const std::string& attr, Dim otherwise) const;
  std::string text(const std::string& attr, const std::string& otherwise) const;
  std::vector<Dim> integers(const std::string& attr) const;
};

struct RuleProgram {
  std::vector<RuleOp> ops;  // each reads inputs and results of those before it
  std::vector<Reference> outputs;
};

struct Rule {
  std::string id;
  std::vector<RuleInput> inputs;
  RuleProgram source;
  RuleProgram target;
  std::map<std::string, Shape> given_shapes;  // of the file, for every input; may be none
};

struct RuleFile {
  std::vector<Rule> rules;
  // What the file says of each; for whoever compares, once a verdict is final.
  std::vector<std::string> statuses;
};

// An Error names the rule and what is wrong with it.
Result<RuleFile> read_rules(const std::filesystem::path& path);
Result<RuleFile> parse_rules(const std::string& text, const std::string& where);

}  // namespace pet::rules
