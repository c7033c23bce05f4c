// The commands of pet, as app/common/commands.h has them.
#pragma once

#include "app/common/commands.h"

namespace pet::app {

inline int fail(const Error& error) { return fail("pet", error); }

Command add_optimize(CLI::App& parent);
Command add_profile(CLI::App& parent);
Command add_show(CLI::App& parent);
Command add_bench(CLI::App& parent);
Command add_models(CLI::App& parent);
Command add_fold(CLI::App& parent);
Command add_mutants(CLI::App& parent);
Command add_replay(CLI::App& parent);
Command add_explain(CLI::App& parent);
Command add_rules(CLI::App& parent);
Command add_egraph(CLI::App& parent);
Command add_calibrate(CLI::App& parent);
Command add_costs(CLI::App& parent);
Command add_ops(CLI::App& parent);

}  // namespace pet::app
