// libsodium, initialised: before that it runs the plainest of its implementations, not the fastest
// that this machine has.
#pragma once

namespace pet {

// Cheap after the first call.
void initialise_sodium();

}  // namespace pet
