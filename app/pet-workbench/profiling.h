// Times programs for the window: files are written to a folder of their own, estimated, and run by
// a target that is started when it is first asked, or looked up in a stored profile.
#pragma once

#include <string>
#include <vector>

#include "viz/views/profile_ports.h"

namespace pet::app {

// What can be measured in beside what every pet measures in.
struct MoreTargets {
  std::vector<std::string> workers;   // commands, as --worker has them: here or elsewhere
  std::vector<std::string> profiles;  // files: stored times of devices that are elsewhere
};

viz::ProfilePorts profile_ports(const MoreTargets& more);

}  // namespace pet::app
