#include "app/pet-verify/batch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>

#include "app/common/command_line.h"
#include "app/common/files.h"
#include "app/pet-verify/junit.h"
#include "app/pet-verify/question_digest.h"
#include "app/pet-verify/report.h"
#include "app/pet-verify/side_by_side.h"
#include "app/pet-verify/watch.h"
#include "core/util/atomic_file.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

Error cannot(const std::string& what, const std::filesystem::path& path) {
  return Error{
      fmt::format("cannot {} {}: {}", what, printable(path.string()), std::strerror(errno)),
      ErrorKind::Tool};
}

// The lines of a report, one pair each.
class ReportFile {
 public:
  ~ReportFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  // Whole lines that are there already; a last one without its end is dropped: whoever wrote it was
  // killed.
  Result<std::vector<std::string>> read(const std::filesystem::path& path) {
    std::vector<std::string> lines;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return lines;  // nothing was begun
    std::string line;
    while (std::getline(stream, line) && !stream.eof()) {
      kept_ += static_cast<off_t>(line.size()) + 1;
      lines.push_back(std::move(line));
    }
    if (stream.bad()) return cannot("read", path);
    return lines;
  }

  // Nothing but a report gives way to a report: a slip of the hand may name a case, a manifest, or
  // the weights of a model.
  static Status check_replaceable(const std::filesystem::path& path, bool resumes) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) return Done{};
    std::ifstream stream(path, std::ios::binary);
    std::string line;
    const bool is_whole = std::getline(stream, line) && !stream.eof();
    // What is gone on with is looked at line by line.
    const bool may_be_one = resumes && line.starts_with("{\"name\":");
    if (is_whole ? may_be_one || told(line).ok() : begins_like_a_report(line)) return Done{};
    return Error{fmt::format("{} is no report and would be written over", printable(path.string())),
                 ErrorKind::Usage};
  }

  // For writing; of two processes that would write to it one is told so.
  Status open(const std::filesystem::path& path) {
    path_ = path;
    if (auto writable = check_writable_log(path); !writable) return writable;
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) return cannot("write", path);
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return Done{};
    return Error{fmt::format("{}: another process writes to this report", printable(path.string())),
                 ErrorKind::Usage};
  }

  // After what was read.
  Status go_on() {
    // A device or a pipe has no length.
    if (::ftruncate(descriptor_, kept_) != 0 && errno != EINVAL) return cannot("write", path_);
    ::lseek(descriptor_, 0, SEEK_END);
    return Done{};
  }

  // Also a line that was not finished. A manifest may begin with a name, too.
  static bool begins_like_a_report(const std::string& text) {
    constexpr std::string_view kBegin = "{\"name\":\"";
    constexpr std::string_view kTool = "\",\"tool\":\"pet-verify ";
    if (text.size() < kBegin.size()) return kBegin.starts_with(text);
    if (!text.starts_with(kBegin)) return false;
    std::size_t end = kBegin.size();
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2U : 1U;
    const auto rest = std::string_view(text).substr(std::min(end, text.size()));
    return rest.starts_with(kTool) || kTool.starts_with(rest);
  }

  bool put(const std::string& line) {
    return descriptor_ < 0 || write_all(descriptor_, std::as_bytes(std::span(line)));
  }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  off_t kept_ = 0;
};

class Batch {
 public:
  Batch(std::span<const Question> questions, Options options, const MakeEngines& make_engines)
      : questions_(questions), options_(std::move(options)), make_engines_(make_engines) {}

  int run() {
    if (auto begun = begin(); !begun) return fail("pet-verify", begun.error());
    open_cache();
    const std::size_t left = questions_.size() - told_.size();
    const std::size_t jobs = std::clamp<std::size_t>(left, 1, options_.jobs);
    options_.proof.proof.threads = std::max<std::size_t>(1, options_.proof.proof.threads / jobs);
    side_by_side<Answer>(
        {told_.size(), questions_.size(), jobs}, [this] { return worker(); },
        [this](std::size_t number, const Answer& found) { return tell(questions_[number], found); },
        [this] { return watch_.interrupted(); });
    // Also of what was found until it was stopped.
    if (options_.format == Format::Junit)
      fmt::print("{}", junit_report(told_, questions_.size() - told_.size()));
    if (watch_.interrupted()) return fail("pet-verify", Error{"stopped", ErrorKind::Stopped});
    if (failure_) return fail("pet-verify", *failure_);
    if (options_.format == Format::Text) fmt::print("{}", summary());
    int code = kDone;
    for (const Told& pair : told_) code = worst(code, pair.exit_code);
    return code;
  }

 private:
  // What an earlier run told already is told again, not asked.
  Status begin() {
    if (options_.report.empty()) return Done{};
    if (auto free = ReportFile::check_replaceable(options_.report, options_.resume); !free)
      return free;
    if (auto opened = file_.open(options_.report); !opened) return opened;
    if (options_.resume) {
      auto lines = file_.read(options_.report);
      if (!lines) return std::move(lines).error();
      for (const std::string& line : *lines) {
        if (auto kept = keep(line); !kept) return kept;
      }
    }
    return file_.go_on();
  }

  Status keep(const std::string& line) {
    const std::string where =
        fmt::format("{}:{}", printable(options_.report.string()), told_.size() + 1);
    auto pair = told(line);
    if (!pair) return Error{fmt::format("{}: {}", where, pair.error().message)};
    if (told_.size() == questions_.size() ||
        pair->name != printable_whole(questions_[told_.size()].name))
      return Error{fmt::format("{}: of another batch, or in another order", where)};
    const Question& question = questions_[told_.size()];
    if (pair->question != question_digest(question, options_, contents_of(question)).hex())
      return Error{
          fmt::format("{}: of other files, options or expectations than now, or of another build "
                      "of this program; begin another report, or this one without --resume",
                      where)};
    if (options_.seed_given && (pair->cached || pair->seed != options_.seed))
      return Error{fmt::format("{}: of seed {}", where, pair->seed)};
    if (!pair->cached && !has_their_seed_) {
      has_their_seed_ = true;
      options_.seed_given = pair->reproduced;
      set_seed(options_, pair->seed);
    } else if (!pair->cached && pair->seed != options_.seed) {
      return Error{fmt::format("{}: of another seed than the lines before", where)};
    }
    tell(line + "\n", *std::move(pair));
    return Done{};
  }

  // What a given seed proves is proved anew and kept by nobody (theory: section 5); a report that
  // was begun gives its seed too.
  void open_cache() {
    if (options_.cache.empty() || options_.seed_given) return;
    cache_.emplace(options_.cache,
                   has_their_seed_ ? VerdictCache::Keeps::Nothing : VerdictCache::Keeps::New);
  }

  std::function<Answer(std::size_t)> worker() {
    return [this, engines = std::make_shared<const Engines>(make_engines_())](std::size_t number) {
      return answered(questions_[number], pointers(*engines));
    };
  }

  // One pair that cannot be held in memory ends nothing but itself.
  Answer answered(const Question& question, std::span<Engine* const> engines) {
    Answer out;
    try {
      out = answer(
          question, options_, engines, watch_.token(), [](std::string_view, double) {},
          cache_ ? &*cache_ : nullptr);
    } catch (const std::exception& exception) {
      out = {};
      out.error = Error{exception.what(), ErrorKind::Tool};
    }
    out.question = question_digest(question, options_, out.contents);
    return out;
  }

  // False: it cannot be written.
  bool tell(const Question& question, const Answer& found) {
    tell_disagreement(question, found);
    const std::string line = json_report(question, found, options_, Layout::OneLine);
    if (!file_.put(line)) {
      failure_ = cannot("write", options_.report);
      return false;
    }
    tell(line, *told(line));
    watch_.progress(static_cast<double>(told_.size()) / static_cast<double>(questions_.size()));
    return true;
  }

  void tell(const std::string& line, Told pair) {
    const bool silent = options_.quiet && pair.exit_code == kDone;
    if (options_.format == Format::Json && !silent) fmt::print("{}", line);
    if (options_.format == Format::Text && !silent) {
      fmt::print("{:<6} {}: {}{}{}  {:.2f} s{}\n", pair.exit_code == kDone ? "ok" : "NOT OK",
                 pair.name, pair.verdict, pair.words.empty() ? "" : ": ", pair.words, pair.seconds,
                 pair.cached ? ", cached" : "");
    }
    std::fflush(stdout);
    told_.push_back(std::move(pair));
  }

  std::string summary() const {
    std::map<std::string, std::size_t> verdicts;
    std::size_t good = 0;
    std::size_t cached = 0;
    for (const Told& pair : told_) {
      ++verdicts[pair.verdict];
      if (pair.cached) ++cached;
      if (pair.exit_code == kDone) ++good;
    }
    std::string out = fmt::format("{} of {} equal or as expected", good, told_.size());
    for (const auto& [verdict, number] : verdicts)
      out += fmt::format("{} {} {}", out.ends_with("expected") ? ";" : ",", number, verdict);
    if (cached > 0) out += fmt::format("; {} from the cache", cached);
    return out + fmt::format("; proof_seed {}\n", options_.seed);
  }

  std::span<const Question> questions_;
  Options options_;
  const MakeEngines& make_engines_;
  ReportFile file_;
  bool has_their_seed_ = false;  // of the report that was begun
  std::optional<VerdictCache> cache_;
  Watch watch_;
  std::vector<Told> told_;
  std::optional<Error> failure_;
};

}  // namespace

int verify_batch(std::span<const Question> questions, const Options& options,
                 const MakeEngines& engines) {
  return Batch(questions, options, engines).run();
}

void tell_disagreement(const Question& question, const Answer& answer) {
  if (!answer.kept) return;
  fmt::print(stderr, "pet-verify: {}: the engines disagree; {}\n", printable(question.name),
             *answer.kept
                 ? fmt::format("{} holds what reproduces it", printable((*answer.kept)->string()))
                 : answer.kept->error().message);
}

}  // namespace pet::app
