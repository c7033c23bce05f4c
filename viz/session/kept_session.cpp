#include "viz/session/kept_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/util/file_lock.h"
#include "core/util/printable.h"

namespace pet::viz {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLockSuffix = ".lock";

fs::path lock_of(fs::path session) { return session.replace_extension(kLockSuffix); }

Error cannot_keep(const fs::path& where, const char* why) {
  return {fmt::format("cannot keep the session in {}: {}; what is open is lost if the program is "
                      "killed: save it by File > Save session",
                      printable(where.string()), why),
          ErrorKind::Tool};
}

bool is_held(const fs::path& session) {
  const int fd = ::open(lock_of(session).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool is_free = try_lock(fd, Sharing::WithOthers);
  ::close(fd);
  return !is_free;
}

}  // namespace

// ---- a lock

Result<SessionLock> SessionLock::claim(const fs::path& session) {
  const int fd = ::open(lock_of(session).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return cannot_keep(session.parent_path(), std::strerror(errno));
  SessionLock out(session, fd);
  if (!try_lock(fd, Sharing::Alone))
    return Error{fmt::format("{} is in use in another window", printable(session.string())),
                 ErrorKind::Usage};
  std::error_code failed;
  if (fs::exists(session, failed)) return out;
  out.remove();
  return Error{
      fmt::format("{} is gone: another window has restored it", printable(session.string())),
      ErrorKind::Usage};
}

SessionLock::SessionLock(SessionLock&& other) noexcept
    : session_(std::move(other.session_)), fd_(std::exchange(other.fd_, -1)) {}

SessionLock::~SessionLock() {
  if (fd_ >= 0) ::close(fd_);
}

// The lock goes last: a session without one counts as left.
void SessionLock::remove() {
  if (fd_ < 0) return;
  ::unlink(session_.c_str());
  ::unlink(lock_of(session_).c_str());
}

// ---- what a window keeps

Result<KeptSession> KeptSession::begin(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return cannot_keep(folder, failed.message().c_str());
  std::string name = (folder / fmt::format("window-XXXXXX{}", kLockSuffix)).string();
  const int fd = ::mkostemps(name.data(), static_cast<int>(kLockSuffix.size()), O_CLOEXEC);
  if (fd < 0) return cannot_keep(folder, std::strerror(errno));
  try_lock(fd, Sharing::Alone);  // nobody else knows of it
  return KeptSession(SessionLock(fs::path(name).replace_extension(kSessionSuffix), fd));
}

KeptSession::~KeptSession() { lock_.remove(); }

Status KeptSession::keep(const Session& session) {
  std::string text = to_text(session);
  if (text == kept_) return Done{};
  auto written = write_session(session, lock_.session());
  if (!written) return cannot_keep(lock_.session().parent_path(), written.error().message.c_str());
  kept_ = std::move(text);
  return Done{};
}

// ---- what others left

std::vector<LeftSession> left_sessions(const fs::path& folder) {
  std::vector<LeftSession> out;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const fs::path& file = at->path();
    if (file.extension() != kSessionSuffix || is_held(file)) continue;
    std::error_code gone;
    const auto when = fs::last_write_time(file, gone);
    if (!gone) out.push_back({file, when, read_session(file)});
  }
  std::ranges::sort(out, [](const LeftSession& a, const LeftSession& b) {
    return std::pair(b.when, a.file) < std::pair(a.when, b.file);
  });
  return out;
}

std::string in_words(const Session& session) {
  const std::string& name = session.source.name;
  const bool is_file = session.source.kind != SourceKind::Example;
  return fmt::format("{}{}, at the page {}", is_file ? "" : "the example ",
                     printable(is_file ? fs::path(name).filename().string() : name),
                     printable(session.page));
}

}  // namespace pet::viz
