#include "core/search/journal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/search/journal_fields.h"
#include "core/util/printable.h"

namespace pet {
namespace {

using journal::BadLine;
using journal::Json;

// By the alternatives of Event.
constexpr std::array<const char*, std::variant_size_v<Event>> kNames = {
    "search_started",     "subprogram_found", "program_shown",   "mutant_proposed",
    "mutant_discarded",   "mutants_counted",  "mutant_verified", "mutant_corrected",
    "candidate_measured", "border_measured",  "border_failed",   "layout_measured",
    "layout_failed",      "candidate_failed", "best_improved",   "search_finished",
    "plan_tried"};

Json json_of(const Event& event) {
  Json out{{"event", kNames.at(event.index())}};
  Event copy = event;
  std::visit([&](auto& e) { visit_fields(journal::FieldWriter{out}, e); }, copy);
  return out;
}

template <std::size_t... I>
Event event_named(std::size_t index, std::index_sequence<I...>) {
  Event out;
  ((index == I ? (out.emplace<I>(), 0) : 0), ...);
  return out;
}

Event event_of(const Json& json) {
  std::string name;
  journal::FieldReader{json}("event", name);
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (name != kNames[i]) continue;
    Event out = event_named(i, std::make_index_sequence<kNames.size()>());
    std::visit([&](auto& e) { visit_fields(journal::FieldReader{json}, e); }, out);
    return out;
  }
  throw BadLine("there is no event \"" + printable(name) + "\"");
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool write_line(std::FILE* file, const Json& json) {
  const std::string line = dumped(json) + "\n";
  return std::fwrite(line.data(), 1, line.size(), file) == line.size() && std::fflush(file) == 0;
}

Error cannot(const std::string& what, const std::filesystem::path& path) {
  return {fmt::format("cannot {} {}: {}", what, printable(path.string()), std::strerror(errno)),
          ErrorKind::Tool};
}

bool is_conclusion(const Event& event) {
  const auto* counted = std::get_if<MutantsCounted>(&event);
  return (counted != nullptr && !counted->all) || std::holds_alternative<SearchFinished>(event) ||
         std::holds_alternative<PlanTried>(event);
}

void read_line(const std::string& text, std::size_t number, JournalContent& content) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw BadLine("that is no JSON object");
  const journal::FieldReader read{json};
  if (number == 1) {
    std::string format;
    read("format", format);
    if (format != kJournalFormat)
      throw BadLine(fmt::format("the format is {}, not {}", printable(format), kJournalFormat));
    visit_fields(read, content.header);
    return;
  }
  JournalContent::Entry entry{event_of(json), 0, number};
  read("t", entry.seconds);
  if (auto* started = std::get_if<SearchStarted>(&entry.event))
    started->model = std::filesystem::path(content.header.model).filename().string();
  content.entries.push_back(std::move(entry));
}

}  // namespace

bool is_journaled(const Event& event) {
  if (std::holds_alternative<MutantProposed>(event)) return false;
  const auto* discarded = std::get_if<MutantDiscarded>(&event);
  return discarded == nullptr || discarded->why == Discarded::DifferentEverywhere ||
         discarded->why == Discarded::Unknown || discarded->why == Discarded::NotCorrectable;
}

std::string line_of(const Event& event) { return dumped(json_of(event)); }

Result<JournalContent> read_journal(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::error_code failed;
  if (!file || std::filesystem::is_directory(path, failed)) {
    if (errno == 0) errno = EISDIR;
    Error error = cannot("read", path);
    error.kind = ErrorKind::Malformed;
    return error;
  }
  JournalContent out;
  std::uintmax_t end = 0;
  for (std::string text; std::getline(file, text) && !file.eof();) {
    end += text.size() + 1;
    out.ends.push_back(end);
    try {
      read_line(text, out.ends.size(), out);
    } catch (const BadLine& bad) {
      return Error{fmt::format("{}:{}: {}", printable(path.string()), out.ends.size(), bad.what())};
    }
  }
  if (out.ends.empty())
    return Error{fmt::format("{} is no journal: it has not one line", printable(path.string()))};
  return out;
}

std::size_t entries_before_the_end(const JournalContent& content) {
  const auto& entries = content.entries;
  const auto finished = std::find_if(entries.begin(), entries.end(), [](const auto& entry) {
    return std::holds_alternative<SearchFinished>(entry.event);
  });
  auto end = static_cast<std::size_t>(finished - entries.begin());
  while (end > 0 && is_conclusion(entries[end - 1].event)) --end;
  return end;
}

Result<Journal> Journal::create(const std::filesystem::path& path, const JournalHeader& header) {
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "we"));
  if (!file) return cannot("write", path);
  Json first{{"format", kJournalFormat}};
  JournalHeader copy = header;
  visit_fields(journal::FieldWriter{first}, copy);
  if (!write_line(file.get(), first)) return cannot("write", path);
  return Journal(std::move(file));
}

Result<Journal> Journal::resume(const std::filesystem::path& path, const JournalContent& content) {
  const std::size_t kept = entries_before_the_end(content);
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "ae"));
  if (!file) return cannot("write", path);
  Journal out(std::move(file));
  out.cut_at_ = content.ends[kept];  // the header has a line of its own
  for (std::size_t i = 0; i < kept; ++i) {
    out.known_.push_back(line_of(content.entries[i].event));
    out.before_ = content.entries[i].seconds;
  }
  return out;
}

void Journal::write(const Event& event) {
  if (!whole_ || divergence_ || !is_journaled(event)) return;
  if (is_repeating()) {
    // Stopped before it got as far as it had been: everything stays as it was.
    if (is_conclusion(event)) return;
    if (known_[repeated_] != line_of(event)) {
      divergence_ = fmt::format("line {}", repeated_ + first_line_);
    } else if (++repeated_ == known_.size()) {
      start_ = Clock::now();
    }
    return;
  }
  if (std::holds_alternative<SearchStarted>(event)) start_ = Clock::now();
  if (cut_at_) {
    whole_ = ::ftruncate(::fileno(file_.get()), static_cast<off_t>(*cut_at_)) == 0;
    cut_at_.reset();
    if (!whole_) return;
  }
  Json json = json_of(event);
  json["t"] = std::round(seconds() * 1000) / 1000;
  whole_ = write_line(file_.get(), json);
}

double Journal::seconds() const {
  if (is_repeating()) return before_;
  return before_ + std::chrono::duration<double>(Clock::now() - start_).count();
}

}  // namespace pet
