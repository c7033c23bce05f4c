#include "viz/session/recent_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "core/util/atomic_file.h"
#include "core/util/printable.h"

namespace pet::viz {
namespace {

constexpr int kVersion = 1;
constexpr std::uintmax_t kMostBytes = 1 << 20;

Error broken(const std::filesystem::path& file, std::string_view why) {
  return Error{
      fmt::format("{}: {}; the list of recent files starts anew", printable(file.string()), why)};
}

}  // namespace

RecentFiles with(RecentFiles files, const std::filesystem::path& newest) {
  std::erase(files, newest);
  files.insert(files.begin(), newest);
  if (files.size() > kMostRecent) files.resize(kMostRecent);
  return files;
}

Result<RecentFiles> read_recent(const std::filesystem::path& from) {
  std::error_code failed;
  if (!std::filesystem::exists(from, failed)) return RecentFiles();
  if (!std::filesystem::is_regular_file(from, failed) ||
      std::filesystem::file_size(from, failed) > kMostBytes)
    return broken(from, "no list of files");
  std::ifstream in(from);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  if (json.is_discarded() || !json.is_object()) return broken(from, "no JSON object");
  if (json.value("version", nlohmann::json()) != kVersion)
    return broken(from, fmt::format("not of version {}", kVersion));
  const auto files = json.find("files");
  if (files == json.end() || !files->is_array()) return broken(from, "it has no list \"files\"");
  RecentFiles out;
  for (const auto& file : *files) {
    if (!file.is_string()) return broken(from, "a file is no text");
    if (out.size() < kMostRecent) out.emplace_back(file.get<std::string>());
  }
  return out;
}

Status write_recent(const RecentFiles& files, const std::filesystem::path& to) {
  nlohmann::ordered_json json{{"version", kVersion}, {"files", nlohmann::ordered_json::array()}};
  for (const auto& file : files) json["files"].push_back(file.string());
  const std::string text =
      json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  std::error_code failed;
  std::filesystem::create_directories(to.parent_path(), failed);
  return write_atomically(to,
                          [&](int fd) { return write_all(fd, std::as_bytes(std::span(text))); });
}

}  // namespace pet::viz
