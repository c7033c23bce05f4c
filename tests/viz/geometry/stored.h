// Stored profiles of times that are made up.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "core/backend/scratch_folder.h"
#include "core/backend/stored_profile.h"

namespace pet::viz {

struct StoredLine {
  std::string original, candidate;  // operators
  double a_ms, b_ms;
};

struct Stored {
  explicit Stored(const std::vector<StoredLine>& lines, const std::string& runtime = "cuda") {
    int second = 0;
    for (const StoredLine& line : lines) {
      const double ratio = line.a_ms / line.b_ms;
      add(fmt::format(
          R"({{"original":"0 in float[2]; 1 {}(0); out 1","candidate":"0 in float[2]; 1 {}(0); out 1",)"
          R"("runtime":"{}","version":"driver 1","device":"a GPU","threads":0,"plan":"a rule",)"
          R"("date":"2026-11-29T01:07:{:02}Z","rounds":20,"decision":"{}",)"
          R"("ratio":{{"median":{},"low":{},"high":{}}},"a_ns":[{}],"b_ns":[{}]}})",
          line.original, line.candidate, runtime, second++ % 60, ratio > 1 ? "faster" : "slower",
          ratio, 0.9 * ratio, 1.1 * ratio,
          fmt::join(std::vector<int>(20, static_cast<int>(line.a_ms * 1e6)), ","),
          fmt::join(std::vector<int>(20, static_cast<int>(line.b_ms * 1e6)), ",")));
    }
    read();
  }

  void add(const std::string& line) const { std::ofstream(file, std::ios::app) << line << "\n"; }
  void read() {
    auto it = StoredProfile::read(file, true);
    REQUIRE(it.ok());
    profile = *std::move(it);
  }

  ScratchFolder folder = *ScratchFolder::make("stored-profile");
  std::filesystem::path file = folder.path() / "profile.jsonl";
  StoredProfile profile = *StoredProfile::read(file, true);
};

}  // namespace pet::viz
