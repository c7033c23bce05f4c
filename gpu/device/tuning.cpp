#include "gpu/device/tuning.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/util/append_line.h"

namespace pet::gpu {
namespace {

using Json = nlohmann::json;

std::optional<std::pair<std::string, Choice>> read_line(const std::string& line) {
  const Json json = Json::parse(line, nullptr, false);
  try {
    return std::pair(json.at("launch").get<std::string>(),
                     Choice{json.at("candidate").get<std::size_t>(),
                            json.at("engine").get<std::int64_t>(), json.at("ms").get<double>()});
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

TuningMemory::TuningMemory(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream in(file_);
  for (std::string line; std::getline(in, line);) {
    if (auto known = read_line(line))
      known_[known->first] = known->second;
    else
      ++skipped_;
  }
}

std::optional<Choice> TuningMemory::find(const std::string& key) const {
  const auto found = known_.find(key);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

// Where nothing can be written it is timed again the next time.
void TuningMemory::remember(const std::string& key, const Choice& choice) {
  known_[key] = choice;
  if (file_.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(file_.parent_path(), failed);
  const Json line{{"launch", key},
                  {"candidate", choice.candidate},
                  {"engine", choice.engine},
                  {"ms", choice.ms}};
  (void)append_line(file_, line.dump(-1, ' ', true, Json::error_handler_t::replace));
}

std::filesystem::path usual_tuning_file() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder = cache != nullptr && *cache != '\0' ? cache : "";
  if (folder.empty()) folder = std::filesystem::path(home != nullptr ? home : "/tmp") / ".cache";
  return folder / "pet" / "cuda-plans.jsonl";
}

}  // namespace pet::gpu
