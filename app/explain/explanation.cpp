#include "app/explain/explanation.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/run/record_json.h"
#include "core/util/printable.h"

namespace pet::explain {
namespace {

namespace fs = std::filesystem;

Result<std::string> contents(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return Error{"a folder, no file"};
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{std::strerror(errno == 0 ? EIO : errno)};
  std::ostringstream out;
  out << file.rdbuf();
  if (file.bad()) return Error{"cannot be read"};
  return std::move(out).str();
}

bool is_journal(const std::string& all) {
  const auto first = nlohmann::json::parse(all.substr(0, all.find('\n')), nullptr, false);
  const auto format = first.is_object() ? first.find("format") : first.end();
  return format != first.end() && format->is_string() &&
         format->get_ref<const std::string&>().starts_with("pet-journal/");
}

}  // namespace

Result<RunRecord> read_run(const fs::path& path, const PlacesOfJournal& places_of) {
  const auto bad = [&](Error error) { return std::move(error).within(printable(path.string())); };
  auto all = contents(path);
  if (!all) return bad(std::move(all).error());
  if (all->find_first_not_of(" \t\r\n") == std::string::npos) return bad({"empty"});
  if (is_journal(*all)) {
    auto journal = read_journal(path);  // whose errors name the file and the line
    if (!journal) return std::move(journal).error();
    return record_of(*journal, places_of);
  }
  const auto whole = nlohmann::json::parse(*all, nullptr, false);
  if (!is_report(whole))
    return bad(
        {"neither a report nor a journal; pet optimize writes them with --report and "
         "--journal"});
  return record_of(whole);
}

}  // namespace pet::explain
