#include "viz/session/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/run/record_json.h"
#include "core/run/tolerant_json.h"
#include "core/util/printable.h"

namespace pet::viz {
namespace {

using namespace tolerant;

constexpr std::uintmax_t kLongestReport = std::uintmax_t{1} << 30;

bool is_of_pair(const Json& json) {
  return json.is_object() && json.contains("files") && json.contains("verdict");
}

ReportedPair pair_of(const Json& json) {
  ReportedPair out;
  out.name = text(json, "name");
  out.files = texts(json, "files");
  out.verdict = text(json, "verdict");
  out.reason = text(json, "reason");
  for (const Json& output : list(json, "outputs")) {
    const std::string where = text(output, "where");
    if (where.empty()) continue;
    out.where += (out.where.empty() ? "" : "; ") + text(output, "name") + ": " + where;
  }
  for (const Json& engine : list(json, "engines"))
    out.engines.push_back(text(engine, "name") + ": " + text(engine, "verdict"));
  out.log2_error = known_number(json, "log2_error");
  out.seconds = known_number(member(json, "timing"), "seconds");
  out.is_as_expected = member(json, "as_expected") != Json(false);
  out.deviation = text(json, "deviation");
  return out;
}

// What somebody has to look at stands first.
int rank(const ReportedPair& pair) {
  if (!pair.is_as_expected) return 0;
  if (pair.verdict == "equivalent") return 4;
  if (pair.verdict == "equivalent-up-to-constants") return 3;
  return pair.verdict == "different" || pair.verdict == "partial" ? 1 : 2;
}

VerifyReport sorted(VerifyReport report) {
  std::ranges::stable_sort(report.pairs, {}, rank);
  return report;
}

Result<Report> batch_of(std::string_view all, const std::string& name) {
  VerifyReport out;
  while (!all.empty()) {
    const std::size_t end = std::min(all.find('\n'), all.size());
    const std::string_view line = all.substr(0, end);
    all.remove_prefix(std::min(end + 1, all.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Json json = Json::parse(line, nullptr, false);
    if (is_of_pair(json))
      out.pairs.push_back(pair_of(json));
    else
      ++out.broken;
  }
  if (out.pairs.empty())
    return Error{
        fmt::format("{}: neither a report of pet optimize (--report) nor one of pet-verify "
                    "(--format json)",
                    printable(name))};
  return Report{name, {}, sorted(std::move(out))};
}

}  // namespace

std::map<std::string, std::size_t> VerifyReport::counts() const {
  std::map<std::string, std::size_t> out;
  for (const ReportedPair& pair : pairs) ++out[pair.verdict];
  return out;
}

// A journal's first line is its header, which has no verdict.
bool begins_like_a_report(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  const Json json = Json::parse(first, nullptr, false);
  return json.is_discarded() ? text.substr(0, 2) == "{\n" : is_of_pair(json) || is_report(json);
}

Result<Report> parse_report(std::string_view all, const std::string& name) {
  const Json whole = Json::parse(all, nullptr, false);
  if (is_of_pair(whole)) return Report{name, {}, VerifyReport{{pair_of(whole)}, 0}};
  if (whole.is_object() && is_report(whole)) return Report{name, {}, record_of(whole)};
  return batch_of(all, name);
}

Result<Report> read_report(const std::filesystem::path& path, const std::stop_token& stop) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed))
    return Error{printable(path.string()) + ": there is no such file"};
  if (std::filesystem::file_size(path, failed) > kLongestReport)
    return Error{printable(path.string()) + ": a report of more than 1 GiB is not read"};
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  if (!in) return Error{printable(path.string()) + ": cannot be read", ErrorKind::Tool};
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  auto out = parse_report(content.view(), path.string());
  if (out) out->folder = path.parent_path();
  return out;
}

}  // namespace pet::viz
