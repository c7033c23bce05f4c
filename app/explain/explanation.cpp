#include "app/explain/explanation.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "app/explain/report_reader.h"
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

Result<Explanation> read(const fs::path& path, const PlacesOfJournal& places_of) {
  auto all = contents(path);
  if (!all) return std::move(all).error();
  if (all->find_first_not_of(" \t\r\n") == std::string::npos) return Error{"empty"};
  const Json first = Json::parse(all->substr(0, all->find('\n')), nullptr, false);
  if (text(first, "format").starts_with("pet-journal/")) {
    auto journal = read_journal(path);
    if (!journal) return std::move(journal).error();
    return from_journal(*journal, places_of);
  }
  const Json whole = Json::parse(*all, nullptr, false);
  if (!member(whole, "chosen").is_array() || !member(whole, "changed").is_boolean()) {
    return Error{
        "neither a report nor a journal; pet optimize writes them with --report and --journal"};
  }
  return from_report(whole);
}

}  // namespace

Result<Explanation> read_explanation(const fs::path& path, const PlacesOfJournal& places_of) {
  auto out = read(path, places_of);
  if (!out) return std::move(out).error().within(printable(path.string()));
  return out;
}

}  // namespace pet::explain
