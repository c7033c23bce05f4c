#include "core/ir/attrs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "core/util/check.h"
#include "core/util/overloaded.h"
#include "core/util/printable.h"

namespace pet {
namespace {

template <class T>
const T& attribute(const Attrs& attrs, std::string_view name) {
  const AttrValue* value = attrs.find(name);
  PET_CHECK(value != nullptr, fmt::format("attribute {} is missing", name));
  PET_CHECK(std::holds_alternative<T>(*value), fmt::format("attribute {} has another type", name));
  return std::get<T>(*value);
}

}  // namespace

std::string to_string(const AttrValue& value) {
  return std::visit(
      overloaded{[](std::int64_t i) { return std::to_string(i); },
                 [](const Ints& v) { return fmt::format("[{}]", fmt::join(v, ",")); },
                 [](double d) { return fmt::format("{:#}", d); },
                 [](const std::string& s) { return fmt::format("\"{}\"", printable(s)); }},
      value);
}

const AttrValue* Attrs::find(std::string_view name) const {
  const auto it = values_.find(name);
  return it == values_.end() ? nullptr : &it->second;
}

std::int64_t Attrs::integer(std::string_view name) const {
  return attribute<std::int64_t>(*this, name);
}
const Ints& Attrs::ints(std::string_view name) const { return attribute<Ints>(*this, name); }
double Attrs::real(std::string_view name) const { return attribute<double>(*this, name); }
const std::string& Attrs::text(std::string_view name) const {
  return attribute<std::string>(*this, name);
}

void digest_into(Digester& digester, const Attrs& attrs) {
  std::uint64_t number = 0;
  for (const auto& [name, value] : attrs) {
    digester.add(name).add(static_cast<std::uint64_t>(value.index()));
    std::visit(overloaded{[&](std::int64_t i) { digester.add(static_cast<std::uint64_t>(i)); },
                          [&](const Ints& v) {
                            digester.add(static_cast<std::uint64_t>(v.size()));
                            for (const auto i : v) digester.add(static_cast<std::uint64_t>(i));
                          },
                          [&](double d) { digester.add(std::bit_cast<std::uint64_t>(d)); },
                          [&](const std::string& s) { digester.add(s); }},
               value);
    ++number;
  }
  digester.add(number);
}

}  // namespace pet
