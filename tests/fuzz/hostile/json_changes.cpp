#include "tests/fuzz/hostile/json_changes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

namespace pet::fuzz {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void collect(Json& json, std::vector<Json*>& out) {
  out.push_back(&json);
  if (!json.is_structured()) return;
  for (Json& inside : json) collect(inside, out);
}

// Every value, the whole first.
std::vector<Json*> places(Json& json) {
  std::vector<Json*> out;
  collect(json, out);
  return out;
}

Json nested(Rng& rng) {
  Json out = Json::array();
  const std::uint64_t depth = 1 + rng.below(200);
  const bool in_objects = rng.below(2) == 0;
  for (std::uint64_t i = 0; i < depth; ++i) {
    Json outer = in_objects ? Json::object() : Json::array();
    if (in_objects) {
      outer["a"] = std::move(out);
    } else {
      outer.push_back(std::move(out));
    }
    out = std::move(outer);
  }
  return out;
}

Json odd_value(const Pool& pool, Rng& rng) {
  switch (rng.below(12)) {
    case 0:
      return nullptr;
    case 1:
      return rng.below(2) == 0;
    case 2:
      return Json::array();
    case 3:
      return Json::object();
    case 4:
      return one_of(pool.words, rng);
    case 5:
      return std::string(1 + static_cast<std::size_t>(rng.below(10'000)), 'x');
    case 6:
      return std::string("a\0b\x7f\xe2\x80\xa8/dev/zero", 16);
    case 7:
      return std::array{0.5, -1e308, 1e-320, 2147483648.0}[static_cast<std::size_t>(rng.below(4))];
    case 8:
      return std::array{std::int64_t{0},
                        std::int64_t{-1},
                        std::numeric_limits<std::int64_t>::min(),
                        std::numeric_limits<std::int64_t>::max(),
                        std::int64_t{1} << 31,
                        std::int64_t{1} << 40}[static_cast<std::size_t>(rng.below(6))];
    case 9:
      return std::numeric_limits<std::uint64_t>::max();
    case 10:
      return nested(rng);
    default:
      return static_cast<std::int64_t>(rng.below(20));
  }
}

// Of an object or a list that is not empty.
Json::iterator any_entry(Json& json, Rng& rng) {
  return std::next(json.begin(), static_cast<std::ptrdiff_t>(rng.below(json.size())));
}

// `"key": value` once more in front of itself, with another value. Readers take the last one, or
// refuse.
std::string doubled(const Json& whole, const Json& object, const Pool& pool, Rng& rng) {
  const auto at = std::next(object.begin(), static_cast<std::ptrdiff_t>(rng.below(object.size())));
  const std::string key = dumped(Json(at.key())) + ":";
  std::string text = dumped(whole);
  const std::size_t place = text.find(key + dumped(*at));
  if (place == std::string::npos) return text;
  return text.insert(place, key + dumped(odd_value(pool, rng)) + ",");
}

void change(Json& json, const Pool& pool, Rng& rng) {
  const std::vector<Json*> all = places(json);
  Json& here = *one_of(all, rng);
  const bool has_entries = here.is_structured() && !here.empty();
  switch (rng.below(5)) {
    case 0:
      if (has_entries) here.erase(any_entry(here, rng));
      return;
    case 1:
      if (here.is_array()) {
        Json more = here.empty() ? odd_value(pool, rng) : *any_entry(here, rng);
        here.push_back(std::move(more));
      } else if (has_entries) {
        const auto entry = any_entry(here, rng);
        Json value = *entry;
        here.erase(entry);
        here[one_of(pool.words, rng)] = std::move(value);
      }
      return;
    case 2: {
      Json copy = *one_of(all, rng);
      if (dumped(copy).size() < kLargestInput / 16) here = std::move(copy);
      return;
    }
    default:
      here = odd_value(pool, rng);
  }
}

}  // namespace

std::string changed_json(const std::string& text, const Pool& pool, Rng& rng) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return text;
  for (std::uint64_t i = 0; i <= rng.below(3); ++i) change(json, pool, rng);
  const Json& object = *one_of(places(json), rng);
  if (rng.below(8) == 0 && object.is_object() && !object.empty())
    return doubled(json, object, pool, rng);
  return dumped(json);
}

std::string changed_json_line(const std::string& text, const Pool& pool, Rng& rng) {
  const std::size_t at = text.empty() ? 0 : static_cast<std::size_t>(rng.below(text.size()));
  const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  const std::size_t last = std::min(text.find('\n', at), text.size());
  if (first >= last) return text;
  return text.substr(0, first) + changed_json(text.substr(first, last - first), pool, rng) +
         text.substr(last);
}

}  // namespace pet::fuzz
