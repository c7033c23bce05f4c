#include "core/search/search_config.h"

#include <array>

namespace pet {

std::string_view name_of(const AnySearchConfig& config) {
  constexpr std::array<std::string_view, std::variant_size_v<AnySearchConfig>> kNames = {
      "pet", "taso", "eqsat", "mcts"};
  return kNames[config.index()];
}

std::uint64_t seed_of(const AnySearchConfig& config) {
  return std::visit([](const auto& one) { return one.seed; }, config);
}

SearchConfig pet_config(const AnySearchConfig& config) {
  const auto* pet = std::get_if<SearchConfig>(&config);
  return pet != nullptr ? *pet : SearchConfig{};
}

}  // namespace pet
