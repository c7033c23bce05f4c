// pet-verify A.onnx B.onnx, pet-verify CASE.txt, or a batch of them; pet-verify rules FILE.json;
// pet-verify check CERT.json A.onnx B.onnx; pet-verify self-test.
#include <cstring>

#include "app/common/command_line.h"
#include "app/pet-verify/check_command.h"
#include "app/pet-verify/rules_command.h"
#include "app/pet-verify/run.h"
#include "app/pet-verify/self_test_command.h"

int main(int argc, char** argv) {
  return pet::app::guarded("pet-verify", [&] {
    if (argc > 1 && std::strcmp(argv[1], "rules") == 0)
      return pet::app::rules_command(argc - 1, argv + 1);
    if (argc > 1 && std::strcmp(argv[1], "check") == 0)
      return pet::app::check_command(argc - 1, argv + 1);
    if (argc > 1 && std::strcmp(argv[1], "self-test") == 0)
      return pet::app::self_test_command(argc - 1, argv + 1);
    const auto parsed = pet::app::parse_command_line(argc, argv);
    if (const int* code = std::get_if<int>(&parsed)) return *code;
    const auto& options = std::get<pet::app::Options>(parsed);
    return pet::app::run(options, [&options] {
      return options.engine.empty() ? pet::default_engines(options.limits)
                                    : pet::engines_called(options.engine, options.limits);
    });
  });
}
