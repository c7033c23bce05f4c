// Facts about this machine and this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/util/digest.h"

namespace pet::app {

double peak_rss_mib();
std::string cpu_name();
std::size_t all_threads();
std::uint64_t machine_memory();  // bytes

// Of this very executable: the engines are part of it, and another build of the same version may
// say something else.
const Digest& this_program();

}  // namespace pet::app
