#include "core/search/make_search.h"

#include <fmt/format.h>

#include "core/rewrite/form.h"
#include "core/rewrite/rule_sets.h"
#include "core/search/block_search.h"
#include "core/search/eqsat_search.h"
#include "core/search/mcts_search.h"
#include "core/search/pet_search.h"
#include "core/search/taso_search.h"
#include "core/util/overloaded.h"
#include "core/util/printable.h"

namespace pet {
namespace {

Error not_there(const UsedRules& used, const std::string& what) {
  return {fmt::format("rules {}: {}", printable(used.set), what), ErrorKind::Usage};
}

template <class Kind, class Config>
Result<SearchFactory> by_rules(const Config& config) {
  auto rules = usable_rules(config.rules);
  if (!rules) return std::move(rules).error();
  SearchFactory whole = [rules = *std::move(rules)](const Model& model, std::string target,
                                                    const AnySearchConfig& of, SearchPorts ports) {
    return std::make_unique<Kind>(model, std::move(target), std::get<Config>(of), rules,
                                  std::move(ports));
  };
  return config.blocks ? block_by_block(std::move(whole)) : std::move(whole);
}

}  // namespace

Result<std::vector<rules::UsableRule>> usable_rules(const std::vector<UsedRules>& sets) {
  std::vector<rules::UsableRule> out;
  for (const UsedRules& used : sets) {
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

std::unique_ptr<Search> make_pet_search(const Model& model, std::string target,
                                        const AnySearchConfig& config, SearchPorts ports) {
  return std::make_unique<PetSearch>(model, std::move(target), std::get<SearchConfig>(config),
                                     std::move(ports));
}

Result<SearchFactory> search_of(const AnySearchConfig& config) {
  return std::visit(
      overloaded{[](const SearchConfig&) { return Result<SearchFactory>(make_pet_search); },
                 [](const TasoConfig& of) { return by_rules<TasoSearch>(of); },
                 [](const EqsatConfig& of) { return by_rules<EqsatSearch>(of); },
                 [](const MctsConfig& of) { return by_rules<MctsSearch>(of); }},
      config);
}

}  // namespace pet
