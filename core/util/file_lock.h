// Locks on files, held for as long as the file is open: whatever ends a program, the system lets go
// of its locks. They bind only those who ask.
#pragma once

namespace pet {

enum class Sharing { Alone, WithOthers };

// Whether the open file could be locked: nobody else holds it alone, or at all where it is wanted
// alone. Never waits. True where files have no locks: devices, pipes, some file systems.
bool try_lock(int fd, Sharing sharing);

}  // namespace pet
