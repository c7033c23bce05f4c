#include "core/util/file_lock.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>

namespace pet {

bool try_lock(int fd, Sharing sharing) {
  struct stat info {};
  // A device is everybody's: two who write to /dev/null do not meet.
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return true;
  const int how = sharing == Sharing::Alone ? LOCK_EX : LOCK_SH;
  return ::flock(fd, how | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

}  // namespace pet
