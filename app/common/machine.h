// Facts about this machine and this process.
#pragma once

#include <cstddef>
#include <string>

namespace pet::app {

double peak_rss_mib();
std::string cpu_name();
std::size_t all_threads();

}  // namespace pet::app
