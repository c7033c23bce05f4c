#include "app/pet-verify/told.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace pet::app {
namespace {

using Json = nlohmann::json;

// Where outputs differ, and which, where there are several.
std::string differences(const Json& outputs) {
  std::string out;
  for (const Json& output : outputs) {
    if (output.at("verdict") == "equivalent") continue;
    const Json where = output.value("where", Json());
    const std::string words = where.is_string() ? where.get<std::string>() : std::string{};
    if (outputs.size() == 1) return words;
    out += fmt::format("{}output {} {}{}{}", out.empty() ? "" : "; ",
                       output.at("name").get<std::string>(),
                       output.at("verdict").get<std::string>(), words.empty() ? "" : ": ", words);
  }
  return out;
}

}  // namespace

Result<Told> told(const std::string& line) {
  try {
    const auto json = Json::parse(line);
    Told out;
    out.name = json.at("name").get<std::string>();
    out.question = json.at("question").get<std::string>();
    out.verdict = json.at("verdict").get<std::string>();
    out.words = json.contains("deviation") ? json["deviation"].get<std::string>()
                                           : json.at("reason").get<std::string>();
    if (out.words.empty()) out.words = differences(json.value("outputs", Json::array()));
    out.exit_code = json.at("exit_code").get<int>();
    out.seconds = json.at("timing").at("seconds").get<double>();
    out.seed = json.at("proof_seed").get<std::uint64_t>();
    out.reproduced = json.at("reproduced").get<bool>();
    out.cached = json.at("timing").value("cached", false);
    return out;
  } catch (const Json::exception&) {
    return Error{"no object that pet-verify wrote"};
  }
}

}  // namespace pet::app
