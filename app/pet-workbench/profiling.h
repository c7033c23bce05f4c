// Times programs for the window: files are written to a folder of their own, estimated, and run by
// a target that is started when it is first asked.
#pragma once

#include <string>
#include <vector>

#include "viz/views/profile_ports.h"

namespace pet::app {

// `workers`: commands of other workers of the same protocol, each a target beside those of every
// pet.
viz::ProfilePorts profile_ports(const std::vector<std::string>& workers);

}  // namespace pet::app
