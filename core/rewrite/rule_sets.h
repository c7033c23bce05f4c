// Rules by the names that command lines and journals have for them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/rewrite/rule.h"
#include "core/util/digest.h"

namespace pet::rules {

struct RuleSet {
  std::string name;  // "taso", "tensat", "own", or the path of a file
  Digest digest;     // of what the file says of its rules
  RuleFile file;
};

std::vector<std::string> rule_set_names();
Result<RuleSet> read_rule_set(const std::string& name);

// Of all that a rule's verdict follows from, but for the program that gives it.
Digest digest_of(const Rule& rule);

}  // namespace pet::rules
