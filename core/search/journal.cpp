#include "core/search/journal.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/util/overloaded.h"
#include "core/util/printable.h"

namespace pet {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Event& event) {
  return std::visit(
      overloaded{
          [](const SearchStarted& e) {
            return Json{
                {"event", "search_started"}, {"model", e.model}, {"digest", e.digest},
                {"target", e.target},        {"seed", e.seed},   {"subprograms", e.subprograms}};
          },
          [](const SubprogramFound& e) {
            return Json{{"event", "subprogram_found"},
                        {"number", e.number},
                        {"operators", e.operators},
                        {"place", e.place}};
          },
          [](const MutantProposed& e) {
            return Json{{"event", "mutant_proposed"}, {"subprogram", e.subprogram}, {"how", e.how}};
          },
          [](const MutantDiscarded& e) {
            return Json{{"event", "mutant_discarded"},
                        {"subprogram", e.subprogram},
                        {"how", e.how},
                        {"why", to_string(e.why)},
                        {"detail", e.detail}};
          },
          [](const MutantVerified& e) {
            return Json{{"event", "mutant_verified"},
                        {"subprogram", e.subprogram},
                        {"how", e.how},
                        {"outcome", to_string(e.outcome)},
                        {"wrong", e.wrong},
                        {"wrong_share", e.wrong_share},
                        {"log2_error", e.log2_error}};
          },
          [](const MutantCorrected& e) {
            return Json{{"event", "mutant_corrected"},
                        {"subprogram", e.subprogram},
                        {"how", e.how},
                        {"outcome", to_string(e.outcome)}};
          },
          [](const CandidateMeasured& e) {
            const auto& c = e.comparison;
            return Json{
                {"event", "candidate_measured"},
                {"subprogram", e.subprogram},
                {"how", e.how},
                {"decision", to_string(c.decision)},
                {"ratio",
                 {{"median", c.ratio.median}, {"low", c.ratio.low}, {"high", c.ratio.high}}},
                {"original_ms", c.timing.a_ms},
                {"candidate_ms", c.timing.b_ms}};
          },
          [](const CandidateFailed& e) {
            return Json{{"event", "candidate_failed"},
                        {"subprogram", e.subprogram},
                        {"how", e.how},
                        {"why", e.why}};
          },
          [](const BestImproved& e) {
            return Json{{"event", "best_improved"},
                        {"subprogram", e.subprogram},
                        {"how", e.how},
                        {"saved_ms", e.saved_ms}};
          },
          [](const SearchFinished& e) {
            return Json{{"event", "search_finished"}, {"reason", to_string(e.reason)},
                        {"proposed", e.proposed},     {"verified", e.verified},
                        {"measured", e.measured},     {"chosen", e.chosen}};
          }},
      event);
}

bool write_line(std::FILE* file, const Json& json) {
  const std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return std::fwrite(line.data(), 1, line.size(), file) == line.size() && std::fflush(file) == 0;
}

}  // namespace

Result<Journal> Journal::create(const std::filesystem::path& path,
                                const std::map<std::string, std::string>& header) {
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "we"));
  if (!file)
    return Error{fmt::format("cannot write {}: {}", printable(path.string()), std::strerror(errno)),
                 ErrorKind::Tool};
  Json first{{"format", "pet-journal/1"}};
  for (const auto& [key, value] : header) first[key] = value;
  if (!write_line(file.get(), first)) {
    return Error{fmt::format("cannot write {}: {}", printable(path.string()), std::strerror(errno)),
                 ErrorKind::Tool};
  }
  return Journal(std::move(file));
}

void Journal::write(const Event& event) {
  if (whole_) whole_ = write_line(file_.get(), to_json(event));
}

}  // namespace pet
