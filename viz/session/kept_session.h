// What a window keeps of itself while it is open, in a folder of the user's: where it is ended
// without being closed, the next one offers to go on from there. Each window has a file of its own
// and holds a lock beside it, so that what it left can be told from what another window still
// writes. No Qt here.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "viz/session/session_file.h"

namespace pet::viz {

// A lock on one kept session, for as long as this object is there.
class SessionLock {
 public:
  // An Error where another window has it.
  static Result<SessionLock> claim(const std::filesystem::path& session);
  SessionLock(SessionLock&& other) noexcept;
  SessionLock& operator=(SessionLock&&) = delete;
  ~SessionLock();

  const std::filesystem::path& session() const { return session_; }
  void remove();  // the session is not wanted any more

 private:
  friend class KeptSession;
  SessionLock(std::filesystem::path session, int fd) : session_(std::move(session)), fd_(fd) {}

  std::filesystem::path session_;
  int fd_ = -1;
};

class KeptSession {
 public:
  // A file of its own; the folder is made where there is none.
  static Result<KeptSession> begin(const std::filesystem::path& folder);
  KeptSession(KeptSession&&) noexcept = default;
  KeptSession& operator=(KeptSession&&) = delete;
  ~KeptSession();  // the window was closed: nothing is left

  // Writes it where it differs from what was kept before.
  Status keep(const Session& session);

 private:
  explicit KeptSession(SessionLock lock) : lock_(std::move(lock)) {}

  SessionLock lock_;
  std::string kept_;
};

struct LeftSession {
  std::filesystem::path file;
  std::filesystem::file_time_type when;
  Result<Session> session;  // an Error: it cannot be read
};

// Those whose window is gone, the newest first.
std::vector<LeftSession> left_sessions(const std::filesystem::path& folder);

// "resnet18.onnx, at the page search".
std::string in_words(const Session& session);

}  // namespace pet::viz
