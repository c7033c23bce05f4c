// Which program this is, with what it runs.
#pragma once

#include <string>

namespace pet::app {

// A digest, in hex, of this executable and of every library that is loaded at this moment: times of
// another build are other times. Of a library its name, its size and the identity that its linker
// gave it count: reading all of those of a GPU would take longer than starting it.
std::string build_digest();

}  // namespace pet::app
