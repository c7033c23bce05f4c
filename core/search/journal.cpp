#include "core/search/journal.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/search/journal_fields.h"
#include "core/search/journal_format3.h"
#include "core/util/file_lock.h"
#include "core/util/overloaded.h"
#include "core/util/printable.h"

namespace pet {
namespace {

using journal::BadLine;
using journal::Json;
using journal::Read;

Event event_of(const Read& json) {
  Event out;
  journal::decode(json, out);
  return out;
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool write_line(std::FILE* file, const Json& json) {
  const std::string line = dumped(json) + "\n";
  return std::fwrite(line.data(), 1, line.size(), file) == line.size() && std::fflush(file) == 0;
}

Error is_in_use(const std::filesystem::path& path) {
  return {fmt::format("cannot write {}: a search that runs writes it; choose another name for the "
                      "journal, or wait for its end",
                      printable(path.string())),
          ErrorKind::Usage};
}

Error cannot(const std::string& what, const std::filesystem::path& path) {
  return {fmt::format("cannot {} {}: {}", what, printable(path.string()), std::strerror(errno)),
          ErrorKind::Tool};
}

// What is told once no more steps are taken.
bool is_conclusion(const Event& event) {
  return std::visit(
      overloaded{[](const MutantsCounted& e) { return !e.all; },
                 [](const SearchFinished&) { return true; },
                 [](const StageStarted&) { return true; }, [](const PassApplied&) { return true; },
                 [](const FileMeasured&) { return true; }, [](const FileProved&) { return true; },
                 [](const NumbersCompared&) { return true; }, [](const PlanTried&) { return true; },
                 [](const auto&) { return false; }},
      event);
}

Read parsed(const std::string& text) {
  Read json = Read::parse(text, nullptr, false);
  if (!json.is_object()) throw BadLine("that is no JSON object");
  return json;
}

// Of the first line.
void read_header(const Read& json, JournalContent& content) {
  std::string format;
  const journal::FieldReader read{json};
  read("format", format);
  content.is_current = format == kJournalFormat;
  if (!content.is_current && format != journal::kFormat3)
    throw BadLine(fmt::format("the format is {}, not {}", printable(format), kJournalFormat));
  visit_fields(read, content.header);
}

void add_entry(const Read& json, std::size_t number, JournalContent& content) {
  JournalContent::Entry entry{event_of(json), 0, number};
  journal::FieldReader{json}("t", entry.seconds);
  if (auto* started = std::get_if<SearchStarted>(&entry.event))
    started->model = std::filesystem::path(content.header.model).filename().string();
  content.entries.push_back(std::move(entry));
}

// Reads lines and gives those that make no sense their number.
class Reader {
 public:
  explicit Reader(JournalContent& content) : content_(content) {}

  void read(const std::string& text) {
    ++number_;
    Read json = parsed(text);
    if (number_ == 1) return read_header(json, content_);
    if (content_.is_current) return add_entry(json, number_, content_);
    old_.push_back(std::move(json));
  }
  void finish() {
    journal::Format3 format;
    number_ = 1;
    for (const Read& line : old_) {
      ++number_;
      format.learn(line);
    }
    number_ = 1;
    for (Read& line : old_) {
      ++number_;
      double when = 0;
      journal::FieldReader{line}("t", when);
      for (Read& today : format.translate(std::move(line))) {
        today["t"] = when;
        add_entry(today, number_, content_);
      }
    }
  }
  std::size_t number() const { return number_; }

 private:
  JournalContent& content_;
  std::vector<Read> old_;
  std::size_t number_ = 0;
};

}  // namespace

bool is_journaled(const Event& event) {
  return std::visit(
      overloaded{
          [](const MutantProposed&) { return false; }, [](const PassApplied&) { return false; },
          [](const StateDropped&) { return false; }, [](const TreeUpdated&) { return false; },
          [](const CandidateKept&) { return false; }, [](const CandidateDropped&) { return false; },
          [](const MutantDiscarded& e) { return is_worth_telling(e.why); },
          [](const auto&) { return true; }},
      event);
}

std::string line_of(const Event& event) { return dumped(journal::encoded(event)); }

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
  Reader reader(out);
  try {
    for (std::string text; std::getline(file, text) && !file.eof();) {
      end += text.size() + 1;
      out.ends.push_back(end);
      reader.read(text);
    }
    reader.finish();
  } catch (const BadLine& bad) {
    return Error{fmt::format("{}:{}: {}", printable(path.string()), reader.number(), bad.what())};
  }
  if (out.ends.empty())
    return Error{fmt::format("{} is no journal: it has not one line", printable(path.string()))};
  return out;
}

JournalTail::JournalTail(std::filesystem::path path, const JournalContent& content)
    : path_(std::move(path)),
      read_{content.header, content.is_current, {}, {}},
      end_(content.ends.back()),
      lines_(content.ends.size()) {}

Result<std::vector<JournalContent::Entry>> JournalTail::more() {
  constexpr std::uintmax_t kAtOnce = 1 << 20;
  const auto has_changed = [this](const char* how) {
    return Error{fmt::format("{} {}: open it again", printable(path_.string()), how)};
  };
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(path_, failed);
  if (failed) return has_changed("is gone");
  if (size < end_) return has_changed("has become shorter");
  if (size == end_) return std::vector<JournalContent::Entry>();
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(end_));
  const std::uintmax_t until = end_ + kAtOnce;
  try {
    for (std::string text; end_ < until && std::getline(file, text) && !file.eof();) {
      end_ += text.size() + 1;
      add_entry(parsed(text), ++lines_, read_);
    }
  } catch (const BadLine& bad) {
    return Error{fmt::format("{}:{}: {}", printable(path_.string()), lines_, bad.what())};
  }
  return std::exchange(read_.entries, {});
}

Status check_current(const JournalContent& content) {
  if (content.is_current) return Done{};
  return Error{fmt::format("the journal is of the format {}, in which mutants were sentences: it "
                           "can be looked at (pet explain), and not be run again, gone on with or "
                           "have its programs made anew",
                           journal::kFormat3),
               ErrorKind::Unsupported};
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
  // What stands there goes only once it is known that nobody writes it.
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "ae"));
  if (!file) return cannot("write", path);
  const int fd = ::fileno(file.get());
  if (!try_lock(fd, Sharing::Alone)) return is_in_use(path);
  struct stat info {};
  if (::fstat(fd, &info) != 0 || (S_ISREG(info.st_mode) && ::ftruncate(fd, 0) != 0))
    return cannot("write", path);
  Json first{{"format", kJournalFormat}};
  JournalHeader copy = header;
  visit_fields(journal::FieldWriter{first}, copy);
  if (!write_line(file.get(), first)) return cannot("write", path);
  return Journal(std::move(file));
}

Result<Journal> Journal::resume(const std::filesystem::path& path, const JournalContent& content) {
  if (auto current = check_current(content); !current) return std::move(current).error();
  const std::size_t kept = entries_before_the_end(content);
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "ae"));
  if (!file) return cannot("write", path);
  if (!try_lock(::fileno(file.get()), Sharing::Alone)) return is_in_use(path);
  Journal out(std::move(file));
  out.is_resumed_ = true;
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
  Json json = journal::encoded(event);
  json["t"] = std::round(seconds() * 1000) / 1000;
  whole_ = write_line(file_.get(), json);
}

double Journal::seconds() const {
  if (is_repeating()) return before_;
  return before_ + std::chrono::duration<double>(Clock::now() - start_).count();
}

}  // namespace pet
