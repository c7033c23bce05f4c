// Attributes of an operator: ordered by name, typed, compared and hashed by value.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/util/digest.h"

namespace pet {

using Ints = std::vector<std::int64_t>;
using AttrValue = std::variant<std::int64_t, Ints, double, std::string>;

std::string to_string(const AttrValue& value);

class Attrs {
 public:
  Attrs() = default;
  Attrs(std::initializer_list<std::pair<const std::string, AttrValue>> values) : values_(values) {}

  void set(std::string name, AttrValue value) { values_[std::move(name)] = std::move(value); }
  void erase(const std::string& name) { values_.erase(name); }
  const AttrValue* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }

  // REQUIRES: the attribute exists with that type (an Op that was checked against its definition)
  std::int64_t integer(std::string_view name) const;
  const Ints& ints(std::string_view name) const;
  double real(std::string_view name) const;
  const std::string& text(std::string_view name) const;

  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  bool empty() const { return values_.empty(); }
  bool operator==(const Attrs&) const = default;

 private:
  std::map<std::string, AttrValue, std::less<>> values_;
};

void digest_into(Digester& digester, const Attrs& attrs);

}  // namespace pet
