// Members of a JSON value of others that may be missing or of another kind than expected: the empty
// value then.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace pet::tolerant {

using Json = nlohmann::json;

// Under which the mutants stand that nothing was decided about, among those that were discarded.
inline constexpr const char* kLeft = "kept until cheaper ones came or the time was up";

inline const Json& member(const Json& json, const char* name) {
  static const Json kNothing;
  if (!json.is_object()) return kNothing;
  const auto at = json.find(name);
  return at == json.end() ? kNothing : *at;
}

inline std::string text(const Json& json, const char* name) {
  const Json& value = member(json, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

inline std::optional<double> known_number(const Json& json, const char* name) {
  const Json& value = member(json, name);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

inline double number(const Json& json, const char* name) {
  return known_number(json, name).value_or(0);
}

inline std::size_t whole_number(const Json& json, const char* name) {
  const Json& value = member(json, name);
  return value.is_number_unsigned() ? value.get<std::size_t>() : 0;
}

inline bool truth(const Json& json, const char* name) {
  const Json& value = member(json, name);
  return value.is_boolean() && value.get<bool>();
}

// Its elements; none where it is no list.
inline const Json& list(const Json& json, const char* name) {
  static const Json kEmpty = Json::array();
  const Json& value = member(json, name);
  return value.is_array() ? value : kEmpty;
}

// Its members; none where it is no object.
inline const Json& object(const Json& json, const char* name) {
  static const Json kEmpty = Json::object();
  const Json& value = member(json, name);
  return value.is_object() ? value : kEmpty;
}

inline std::vector<std::string> texts(const Json& json, const char* name) {
  std::vector<std::string> out;
  for (const Json& entry : list(json, name)) {
    if (entry.is_string()) out.push_back(entry.get<std::string>());
  }
  return out;
}

template <class Number>
std::map<std::string, Number> numbers(const Json& json, const char* name) {
  std::map<std::string, Number> out;
  for (const auto& [key, value] : object(json, name).items()) {
    if (std::is_floating_point_v<Number> ? value.is_number() : value.is_number_unsigned())
      out[key] = value.template get<Number>();
  }
  return out;
}

}  // namespace pet::tolerant
