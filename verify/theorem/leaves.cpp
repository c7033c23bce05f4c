#include "verify/theorem/leaves.h"

#include <bit>

#include "verify/values/totality.h"

namespace pet::theorem {
namespace {

constexpr std::uint64_t kOfValue = 0;
constexpr std::uint64_t kOfFunction = 1;
constexpr std::uint64_t kHole = ~std::uint64_t{0};

}  // namespace

Leaf LeafTable::numbered(Key key, About about) {
  const auto [it, is_new] = known_.try_emplace(std::move(key), static_cast<Leaf>(leaves_.size()));
  if (is_new) leaves_.push_back(std::move(about));
  return it->second;
}

Leaf LeafTable::of_value(ValueId value, About about) {
  return numbered({kOfValue, value.value}, std::move(about));
}

Leaf LeafTable::of_function(const Application& application,
                            const std::vector<std::optional<Leaf>>& elements) {
  const std::string name(application.function->name);
  Key key{kOfFunction, functions_.try_emplace(name, functions_.size()).first->second,
          application.parameters.size()};
  for (const double x : application.parameters) key.push_back(std::bit_cast<std::uint64_t>(x));
  About about{.name = name + "(", .is_partial = is_partial(application)};
  for (const auto& element : elements) {
    key.push_back(element ? *element : kHole);
    if (!element) continue;
    const About& argument = leaves_[*element];
    if (about.rank > 0) about.name += ", ";
    about.rank += argument.rank;
    about.name += argument.name;
    about.is_partial = about.is_partial || argument.is_partial;
  }
  about.name += ")";
  return numbered(std::move(key), std::move(about));
}

}  // namespace pet::theorem
