// pet-verify rules FILE.json: is every rule of a file as the file says?
#pragma once

namespace pet::app {

// The arguments after "rules". The exit code.
int rules_command(int argc, const char* const* argv);

}  // namespace pet::app
