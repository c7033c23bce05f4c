// Rules written down briefly, for tests of rewriting.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "core/rewrite/rewriter.h"

namespace pet::test {

// One rule of the text that its file would have between the brackets of "rules".
inline rules::Rule rule_of(const std::string& text) {
  const auto file =
      rules::parse_rules(R"({"format": "tensor-rules/1", "rules": [)" + text + "]}", "test");
  INFO((file ? "" : file.error().message));
  REQUIRE(file.ok());
  return file->rules.front();
}

// A published rule, by its name.
inline rules::Rule published(const std::string& file, const std::string& id) {
  const auto all = rules::read_rules(std::filesystem::path(PET_RULES) / (file + ".json"));
  REQUIRE(all.ok());
  for (const rules::Rule& rule : all->rules)
    if (rule.id == id) return rule;
  FAIL("no rule is called " << id);
  return {};
}

inline rules::Rewriter rewriter_of(const rules::Rule& rule, const std::string& condition = "") {
  auto usable = rules::usable(rule, condition);
  INFO((usable ? "" : usable.error().message));
  REQUIRE(usable.ok());
  std::vector<rules::UsableRule> all;
  all.push_back(*std::move(usable));
  return rules::Rewriter(std::move(all));
}

}  // namespace pet::test
