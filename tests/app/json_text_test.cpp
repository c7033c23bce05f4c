#include "app/common/json_text.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

using namespace pet;
using Json = nlohmann::ordered_json;

namespace {

std::size_t longest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(in, line);) longest = std::max(longest, line.size());
  return longest;
}

Json numbers(int count) {
  Json out = Json::array();
  for (int i = 0; i < count; ++i) out.push_back(i);
  return out;
}

}  // namespace

TEST_CASE("Members have lines of their own, what fits on one stands on it") {
  const Json value = {{"verdict", "partial"},
                      {"boxes", {{{"low", {0, 0}}, {"high", {1, 4}}}}},
                      {"none", Json::array()},
                      {"null", nullptr}};
  CHECK(readable(value) ==
        "{\n"
        "  \"verdict\": \"partial\",\n"
        "  \"boxes\": [{\"low\": [0, 0], \"high\": [1, 4]}],\n"
        "  \"none\": [],\n"
        "  \"null\": null\n"
        "}\n");
}

TEST_CASE("Many numbers fill lines") {
  const std::string text = readable({{"inputs", {{"x", {{"values", numbers(100)}}}}}});
  CHECK(longest_line(text) <= 100);
  CHECK(longest_line(text) > 90);
  CHECK(std::ranges::count(text, '\n') < 15);
  CHECK(Json::parse(text)["inputs"]["x"]["values"] == numbers(100));
}

TEST_CASE("Nothing is lost of any shape, and no line is too long that could be shorter") {
  Json value = Json::array();
  for (int size = 0; size < 60; ++size) {
    value.push_back(
        {{"numbers", numbers(size)}, {"nested", {numbers(size), {{"deep", numbers(3 * size)}}}}});
    value.push_back(std::string(static_cast<std::size_t>(size), 'x'));
    value.push_back(-0.5 * size);
    value.push_back({{}, {{}}, size % 2 == 0, nullptr});
  }
  const std::string text = readable(value);
  CHECK(Json::parse(text) == value);
  CHECK(longest_line(text) <= 100);
}

TEST_CASE("For programs everything stands on one line") {
  const Json value = {{"numbers", numbers(1000)}, {"name", "caf\xe9"}};
  const std::string text = one_line(value);
  CHECK(text.find('\n') == text.size() - 1);
  CHECK(Json::parse(text)["numbers"] == numbers(1000));
}

TEST_CASE("Long texts stay whole, and what is not UTF-8 is replaced") {
  const std::string text(300, 'y');
  CHECK(Json::parse(readable({{"a", text}, {"b", {text, 1}}})) ==
        Json({{"a", text}, {"b", {text, 1}}}));
  CHECK(readable("caf\xe9") == "\"caf\xef\xbf\xbd\"\n");
  CHECK(readable({}) == "null\n");
}
