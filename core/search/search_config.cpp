#include "core/search/search_config.h"

namespace pet {

std::string_view name_of(const AnySearchConfig& config) {
  return std::holds_alternative<SearchConfig>(config) ? "pet" : "taso";
}

std::uint64_t seed_of(const AnySearchConfig& config) {
  return std::visit([](const auto& one) { return one.seed; }, config);
}

SearchConfig pet_config(const AnySearchConfig& config) {
  const auto* pet = std::get_if<SearchConfig>(&config);
  return pet != nullptr ? *pet : SearchConfig{};
}

}  // namespace pet
