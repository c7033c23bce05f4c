// Internal: values in a journal's lines. A type is written and read by the same list of its fields,
// `visit_fields(visitor, value)`, so that the two cannot drift apart.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/util/id.h"
#include "core/util/printable.h"

namespace pet::journal {

using Json = nlohmann::ordered_json;  // what is written, fields in order
// What is read. Growing an ordered object copies its members, by as deep a recursion as they are
// nested: a file may not decide on that.
using Read = nlohmann::json;

// What a line does not say, or says wrongly. Never leaves the reader.
struct BadLine : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// How many enumerators E has: specialised for those that appear, written as to_string() has them.
template <class E>
inline constexpr std::size_t kEnumerators = 0;

// Of a closed variant: `kKey`, under which the name of the alternative stands, and `kNames`.
template <class Variant>
struct Alternatives;

template <class T>
Json encoded(const T& value);
template <class T>
void decode(const Read& json, T& value);

struct FieldWriter {
  Json& json;
  template <class T>
  void operator()(const char* key, const T& value) const {
    json[key] = encoded(value);
  }
  template <class T>
  void later(const char* key, const T& value) const {
    (*this)(key, value);
  }
  template <class T>
  void later(const char* key, const std::optional<T>& value) const {
    if (value) (*this)(key, *value);
  }
};

struct FieldReader {
  const Read& json;
  template <class T>
  void operator()(const char* key, T& value) const {
    if (!json.is_object() || !json.contains(key))
      throw BadLine(std::string("there is no \"") + key + "\"");
    try {
      decode(json.at(key), value);
    } catch (const Read::exception&) {
      throw BadLine(std::string("\"") + key + "\" is of another type");
    }
  }
  // What came into the format later: older files lack it.
  template <class T>
  void later(const char* key, T& value) const {
    if (json.is_object() && json.contains(key)) (*this)(key, value);
  }
  template <class T>
  void later(const char* key, std::optional<T>& value) const {
    if (json.is_object() && json.contains(key)) (*this)(key, value.emplace());
  }
};

template <class T>
struct Coder {
  static Json encode(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      static_assert(kEnumerators<T> > 0);
      return to_string(value);
    } else {
      Json out = Json::object();
      T copy = value;
      visit_fields(FieldWriter{out}, copy);
      return out;
    }
  }
  static void decode(const Read& json, T& value) {
    if constexpr (std::is_enum_v<T>) {
      const auto word = json.get<std::string>();
      for (std::size_t i = 0; i < kEnumerators<T>; ++i) {
        value = static_cast<T>(i);
        if (to_string(value) == word) return;
      }
      throw BadLine("\"" + printable(word) + "\" is no word that stands there");
    } else {
      visit_fields(FieldReader{json}, value);
    }
  }
};

template <class T>
requires std::is_arithmetic_v<T>
struct Coder<T> {
  // JSON has no word for an infinity.
  static Json encode(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(value)) return value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
    }
    return value;
  }
  static void decode(const Read& json, T& value) {
    if constexpr (std::is_floating_point_v<T>) {
      if (json == "inf" || json == "-inf" || json == "nan") {
        value =
            json == "nan" ? static_cast<T>(NAN) : static_cast<T>(json == "inf" ? 1 : -1) * HUGE_VAL;
        return;
      }
    } else if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>) {
      if (!json.is_number_unsigned()) throw BadLine("a number is not a natural one");
    }
    if (std::is_same_v<T, bool> != json.is_boolean()) throw BadLine("a number is none");
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if (!json.is_number_integer()) throw BadLine("a number is not a whole one");
      if (std::is_unsigned_v<T> && json.get<std::uint64_t>() > std::numeric_limits<T>::max())
        throw BadLine("a number is too large");
    }
    value = json.get<T>();
  }
};

template <>
struct Coder<std::string> {
  static Json encode(const std::string& value) { return value; }
  static void decode(const Read& json, std::string& value) { value = json.get<std::string>(); }
};

template <class T>
struct Coder<std::vector<T>> {
  static Json encode(const std::vector<T>& values) {
    Json out = Json::array();
    for (const T& value : values) out.push_back(encoded(value));
    return out;
  }
  static void decode(const Read& json, std::vector<T>& values) {
    if (!json.is_array()) throw BadLine("a list is none");
    values.clear();
    for (const Read& entry : json) pet::journal::decode(entry, values.emplace_back());
  }
};

template <class T>
struct Coder<std::map<std::string, T>> {
  static Json encode(const std::map<std::string, T>& values) {
    Json out = Json::object();
    for (const auto& [key, value] : values) out[key] = encoded(value);
    return out;
  }
  static void decode(const Read& json, std::map<std::string, T>& values) {
    if (!json.is_object()) throw BadLine("a list of names is none");
    values.clear();
    for (const auto& [key, value] : json.items()) pet::journal::decode(value, values[key]);
  }
};

template <class T>
struct Coder<std::optional<T>> {
  static Json encode(const std::optional<T>& value) {
    return value ? encoded(*value) : Json(nullptr);
  }
  static void decode(const Read& json, std::optional<T>& value) {
    value.reset();
    if (!json.is_null()) pet::journal::decode(json, value.emplace());
  }
};

template <class Tag>
struct Coder<Id<Tag>> {
  static Json encode(Id<Tag> id) { return id.value; }
  static void decode(const Read& json, Id<Tag>& id) { pet::journal::decode(json, id.value); }
};

// The fields of an alternative stand beside its name.
template <class... Ts>
struct Coder<std::variant<Ts...>> {
  using Variant = std::variant<Ts...>;
  using Named = Alternatives<Variant>;
  static_assert(std::size(Named::kNames) == sizeof...(Ts));

  static Json encode(const Variant& value) {
    Json out{{Named::kKey, Named::kNames[value.index()]}};
    Variant copy = value;
    std::visit([&](auto& alternative) { visit_fields(FieldWriter{out}, alternative); }, copy);
    return out;
  }
  static void decode(const Read& json, Variant& value) {
    std::string name;
    FieldReader{json}(Named::kKey, name);
    for (std::size_t i = 0; i < sizeof...(Ts); ++i) {
      if (name != Named::kNames[i]) continue;
      emplace(value, i, std::index_sequence_for<Ts...>());
      std::visit([&](auto& alternative) { visit_fields(FieldReader{json}, alternative); }, value);
      return;
    }
    throw BadLine(std::string("there is no ") + Named::kKey + " \"" + printable(name) + "\"");
  }

 private:
  template <std::size_t... I>
  static void emplace(Variant& value, std::size_t index, std::index_sequence<I...>) {
    ((index == I ? (value.template emplace<I>(), 0) : 0), ...);
  }
};

// By the words of the reasons. One that is not there came later: nothing ended for it.
template <class Reason, std::size_t N>
struct Counts {
  std::array<std::size_t, N>& numbers;
};
template <class Reason, std::size_t N>
struct Coder<Counts<Reason, N>> {
  static_assert(N == kEnumerators<Reason>);
  static Json encode(const Counts<Reason, N>& counts) {
    Json out = Json::object();
    for (std::size_t i = 0; i < N; ++i)
      out[std::string(to_string(static_cast<Reason>(i)))] = counts.numbers[i];
    return out;
  }
  static void decode(const Read& json, const Counts<Reason, N>& counts) {
    std::size_t known = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const std::string word(to_string(static_cast<Reason>(i)));
      counts.numbers[i] = 0;
      if (json.is_object() && !json.contains(word)) continue;
      FieldReader{json}(word.c_str(), counts.numbers[i]);
      ++known;
    }
    if (known != json.size()) throw BadLine("a reason that is none");
  }
};

template <class T>
Json encoded(const T& value) {
  return Coder<std::remove_const_t<T>>::encode(value);
}
template <class T>
void decode(const Read& json, T& value) {
  Coder<std::remove_const_t<T>>::decode(json, value);
}

}  // namespace pet::journal
