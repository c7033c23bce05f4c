// pet-verify self-test: pairs that are equal, broken in many small ways. Does the checker notice?
#pragma once

namespace pet::app {

int self_test_command(int argc, const char* const* argv);

}  // namespace pet::app
