#include "app/pet/machine_file.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/common/files.h"
#include "app/common/json_text.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

using Json = nlohmann::ordered_json;

struct Rate {
  const char* name;
  double MachineModel::*value;
};
constexpr std::array kRates = {
    Rate{"multiply_adds_per_ms", &MachineModel::multiply_adds_per_ms},
    Rate{"element_functions_per_ms", &MachineModel::element_functions_per_ms},
    Rate{"bytes_per_ms", &MachineModel::bytes_per_ms},
    Rate{"ms_per_operator", &MachineModel::ms_per_operator}};

Error no_machine(const std::filesystem::path& file, const std::string& why) {
  return {fmt::format("{} is not what pet calibrate writes: {}", printable(file.string()), why),
          ErrorKind::Usage};
}

}  // namespace

Status write_machine(const std::filesystem::path& file, const MachineModel& machine,
                     const BackendInfo& of) {
  Json json{{"runtime", of.name}, {"version", of.version}, {"device", of.device}};
  for (const Rate& rate : kRates) json[rate.name] = machine.*rate.value;
  return write_text(file.string(), readable(json));
}

Result<MachineModel> read_machine(const std::filesystem::path& file, const BackendInfo& here) {
  std::ifstream in(file);
  const Json json = Json::parse(in, nullptr, false);
  if (!json.is_object()) return no_machine(file, "no JSON object");
  MachineModel out;
  try {
    for (const Rate& rate : kRates) {
      out.*rate.value = json.at(rate.name).get<double>();
      if (!std::isfinite(out.*rate.value) || !(out.*rate.value > 0))
        return no_machine(file, fmt::format("{} is not positive", rate.name));
    }
    const auto runtime = json.at("runtime").get<std::string>();
    const auto device = json.at("device").get<std::string>();
    if (runtime != here.name || device != here.device)
      return Error{fmt::format("{} is of {} on {}, and what is measured here is {} on {}",
                               printable(file.string()), printable(runtime), printable(device),
                               here.name, here.device),
                   ErrorKind::Usage};
  } catch (const Json::exception&) {
    return no_machine(file, "a number or a name is missing");
  }
  return out;
}

}  // namespace pet::app
