// Rewrite rules as files of the formats tensor-rules/1 and /2 have them: two programs over inputs
// of given ranks, of any sizes that make sense. A rule of format 2 may stand for many
// (core/rewrite/ form.h): its convolutions slide in any way, some of its inputs have any number of
// axes in front; and it may say under which condition it is meant.
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
  bool leading = false;  // and any number of axes in front, which all such inputs share
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
  bool any_geometry = false;  // its convolutions slide in any way, all in the same
  std::string condition;      // as condition.h writes it; empty: wherever it is right
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

// A file of format 2 that holds them; `source` and `license`: where they are from.
std::string rules_text(const RuleFile& file, const std::string& source, const std::string& license);

}  // namespace pet::rules
