#include "app/pet-verify/told.h"

#include <nlohmann/json.hpp>

namespace pet::app {

Result<Told> told(const std::string& line) {
  try {
    const auto json = nlohmann::json::parse(line);
    Told out;
    out.name = json.at("name").get<std::string>();
    out.question = json.at("question").get<std::string>();
    out.verdict = json.at("verdict").get<std::string>();
    out.words = json.contains("deviation") ? json["deviation"].get<std::string>()
                                           : json.at("reason").get<std::string>();
    for (const auto& output : json.value("outputs", nlohmann::json::array())) {
      if (!out.words.empty()) break;
      if (const auto where = output.find("where"); where != output.end() && where->is_string())
        out.words = where->get<std::string>();
    }
    out.exit_code = json.at("exit_code").get<int>();
    out.seconds = json.at("timing").at("seconds").get<double>();
    out.seed = json.at("proof_seed").get<std::uint64_t>();
    out.reproduced = json.at("reproduced").get<bool>();
    out.cached = json.at("timing").value("cached", false);
    return out;
  } catch (const nlohmann::json::exception&) {
    return Error{"no object that pet-verify wrote"};
  }
}

}  // namespace pet::app
