#include "core/search/make_search.h"

#include <fmt/format.h>

#include "core/rewrite/form.h"
#include "core/rewrite/rule_sets.h"
#include "core/search/pet_search.h"
#include "core/search/taso_search.h"
#include "core/util/printable.h"

namespace pet {
namespace {

Error not_there(const UsedRules& used, const std::string& what) {
  return {fmt::format("rules {}: {}", printable(used.set), what), ErrorKind::Usage};
}

Result<std::vector<rules::UsableRule>> rules_of(const TasoConfig& config) {
  std::vector<rules::UsableRule> out;
  for (const UsedRules& used : config.rules) {
    const auto set = rules::read_rule_set(used.set);
    if (!set) return set.error();
    if (set->digest.hex() != used.digest)
      return not_there(used, "they are not what they were when they were verified");
    for (const UsedRule& one : used.rules) {
      const auto rule = rules::rule_called(set->file.rules, one.id);
      if (!rule) return not_there(used, fmt::format("none is called {}", printable(one.id)));
      auto usable = rules::usable(*rule, one.condition);
      if (!usable) return not_there(used, usable.error().message);
      out.push_back(*std::move(usable));
    }
  }
  return out;
}

}  // namespace

std::unique_ptr<Search> make_pet_search(const Model& model, std::string target,
                                        const AnySearchConfig& config, SearchPorts ports) {
  return std::make_unique<PetSearch>(model, std::move(target), std::get<SearchConfig>(config),
                                     std::move(ports));
}

Result<SearchFactory> search_of(const AnySearchConfig& config) {
  const auto* taso = std::get_if<TasoConfig>(&config);
  if (taso == nullptr) return SearchFactory(make_pet_search);
  auto rules = rules_of(*taso);
  if (!rules) return std::move(rules).error();
  return SearchFactory([rules = *std::move(rules)](const Model& model, std::string target,
                                                   const AnySearchConfig& of, SearchPorts ports) {
    return std::make_unique<TasoSearch>(model, std::move(target), std::get<TasoConfig>(of), rules,
                                        std::move(ports));
  });
}

}  // namespace pet
