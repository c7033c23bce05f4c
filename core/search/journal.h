// The journal of a search: one JSON object a line, flushed as it happens, so that whatever stops
// the search loses nothing. The first line says all that the search followed from: format, tool
// version, model, machine, seed and configuration. Then come events: decisions, measurements with
// every sample, and of mutants that nobody looked at closely only how many there were. What the
// generator walked through is regenerated when it is wanted (core/run/replay.h).
#pragma once

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/search/events.h"
#include "core/search/search_config.h"

namespace pet {

inline constexpr const char* kJournalFormat = "pet-journal/4";

struct JournalHeader {
  std::string tool{};    // version
  std::string model{};   // path
  std::string digest{};  // of the model, in hex
  std::map<std::string, Dim> dimensions{};
  std::string target{};                        // as --target has it
  std::string runtime{}, version{}, device{};  // what it was measured in
  int threads = 1;                             // of the runtime
  double budget_s = 0;                         // of the search
  AnySearchConfig config{};
  // What decides after the search, as the flags have it.
  std::string proof_budget{};
  double max_rel_error = 0;
  double max_growth = 0;
  std::string input_data{};
};

// Events that a journal holds one by one.
bool is_journaled(const Event& event);

// An event as its line has it, but for when it happened.
std::string line_of(const Event& event);

struct JournalContent {
  struct Entry {
    Event event;
    double seconds = 0;  // since the search began
    std::size_t line = 0;
  };
  JournalHeader header;
  // Of today's format; older ones are there to be looked at.
  bool is_current = true;
  std::vector<Entry> entries;
  std::vector<std::uintmax_t> ends;  // by line: bytes up to its end
};

// A last line without its end is left out: whoever wrote it was killed. Anything else that makes no
// sense is an error that names the line.
Result<JournalContent> read_journal(const std::filesystem::path& path);

// What is written into a journal while somebody watches: called again and again, it reads the lines
// that have become whole since.
class JournalTail {
 public:
  // REQUIRES: the content is of today's format
  JournalTail(std::filesystem::path path, const JournalContent& content);
  // At most about a megabyte of lines at once. An Error where the file is gone, has become shorter
  // (a search that goes on in it rewrites its end), or holds a line that makes no sense; then it
  // has to be read anew.
  Result<std::vector<JournalContent::Entry>> more();

 private:
  std::filesystem::path path_;
  JournalContent read_;  // its header; entries on their way
  std::uintmax_t end_;   // of what was read, in bytes
  std::size_t lines_;
};

// Unsupported where the journal's search cannot be run again: it is of an older format.
Status check_current(const JournalContent& content);

// The entries up to where the search said how it ended; all of them where it did not.
std::size_t entries_before_the_end(const JournalContent& content);

class Journal {
 public:
  static Result<Journal> create(const std::filesystem::path& path, const JournalHeader& header);
  // Goes on in a journal whose search is run again from its beginning: events that stand there are
  // not written twice; with the first that does not, what a search that had ended concluded goes.
  static Result<Journal> resume(const std::filesystem::path& path, const JournalContent& content);

  void write(const Event& event);
  // Did every line so far get to the disk? Once one did not, no more are tried.
  bool is_whole() const { return whole_; }
  bool is_resumed() const { return is_resumed_; }
  // Events are still those that stood there.
  bool is_repeating() const { return repeated_ < known_.size(); }
  // Of a resumed journal: where the search did something else than is written there.
  const std::optional<std::string>& divergence() const { return divergence_; }
  // Of searching, that of a resumed search included. It stands still while events are repeated.
  double seconds() const;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using Clock = std::chrono::steady_clock;
  explicit Journal(std::unique_ptr<std::FILE, Close> file) : file_(std::move(file)) {}

  std::unique_ptr<std::FILE, Close> file_;
  bool whole_ = true;
  bool is_resumed_ = false;
  std::vector<std::string> known_;
  std::size_t repeated_ = 0;
  std::size_t first_line_ = 2;            // of an event
  std::optional<std::uintmax_t> cut_at_;  // once there is more to write
  std::optional<std::string> divergence_;
  double before_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace pet
