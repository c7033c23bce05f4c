// The commands of pet-verify, as app/common/commands.h has them.
#pragma once

#include "app/common/commands.h"

namespace pet::app {

// Files, cases, folders of them and manifests: are two programs equal, and where are they not?
Command add_compare(CLI::App& parent);
// Rewrite rules (verify/rules): are they right, and under which condition?
Command add_rules(CLI::App& parent);
// Starts pet-check-certificate, which shares nothing with this program, in its place.
Command add_check(CLI::App& parent);
// Programs and rules broken on purpose (verify/self_test): is that noticed?
Command add_self_test(CLI::App& parent);

}  // namespace pet::app
