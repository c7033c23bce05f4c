#include "tests/gpu/golden.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gpu/lower/lower.h"

namespace pet::test {

namespace fs = std::filesystem;

void compare_with_golden(const std::string& name, const std::string& text) {
  const fs::path file = fs::path(PET_GOLDEN) / (name + ".txt");
  if (std::getenv("PET_RENEW") != nullptr) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return;
  }
  std::ifstream in(file);
  const std::string known{std::istreambuf_iterator<char>(in), {}};
  INFO(name << ": not what it was; if that is meant, run this test with PET_RENEW=1 and read the "
               "difference");
  CHECK(text == known);
}

std::string launches_of(const Graph& graph) {
  const auto plan = gpu::lower(graph);
  REQUIRE(plan.ok());
  return to_string(*plan);
}

std::string totals_of(const Graph& graph) {
  const auto plan = gpu::lower(graph);
  REQUIRE(plan.ok());
  std::size_t launches = 0, bytes = 0;
  for (const gpu::Launch& launch : plan->launches) {
    if (launch.once) continue;
    ++launches;
    bytes += bytes_of(*plan, launch);
  }
  return fmt::format("{} launches, {} bytes moved\n", launches, bytes);
}

}  // namespace pet::test
