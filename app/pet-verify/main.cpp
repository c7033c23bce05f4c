// pet-verify A.onnx B.onnx, or pet-verify CASE.txt.
#include <array>

#include "app/common/command_line.h"
#include "app/pet-verify/run.h"
#include "verify/bitmap_checker.h"
#include "verify/exact_checker.h"

int main(int argc, char** argv) {
  return pet::app::guarded("pet-verify", [&] {
    const auto parsed = pet::app::parse_command_line(argc, argv);
    if (const int* code = std::get_if<int>(&parsed)) return *code;
    pet::BitmapChecker bitmap;
    pet::ExactChecker exact;
    const std::array<pet::EquivalenceChecker*, 2> engines = {&bitmap, &exact};
    return pet::app::run(std::get<pet::app::Options>(parsed), engines);
  });
}
