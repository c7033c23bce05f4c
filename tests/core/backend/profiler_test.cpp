// Races as who cannot run one answers them: by comparisons of two files.
#include "core/backend/profiler.h"

#include <catch2/catch.hpp>
#include <map>

#include "core/backend/replay_profiler.h"
#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

namespace fs = std::filesystem;

Comparison of_ratio(double ratio) {
  Comparison out;
  out.timing = {{ratio}, {1}};
  out.ratio.median = ratio;
  out.seconds = 2;
  return out;
}

// Knows how often a file is faster than the original; others make it die, the first time or always.
class Known final : public Profiler {
 public:
  std::map<std::string, double> ratios;
  std::map<std::string, int> deaths;
  int asked = 0;

  Result<Comparison> compare(const fs::path&, const fs::path& file, std::stop_token) override {
    ++asked;
    if (deaths[file.string()]-- > 0) return Error{"it died of " + file.string(), ErrorKind::Tool};
    return of_ratio(ratios.at(file.string()));
  }
};

TEST_CASE("Who cannot run a race compares each with the original, and ranks them by that") {
  Known known;
  known.ratios = {{"a", 1.2}, {"b", 2}, {"c", 1.2}};
  const std::vector<fs::path> files = {"a", "b", "c"};
  const auto raced = known.race("o", files, {});
  REQUIRE(raced.ok());
  CHECK(raced->ranking == std::vector<std::size_t>{1, 0, 2});
  CHECK(raced->seconds == 6);
}

TEST_CASE("A file that kills the worker is out of the race, one that does so once is not") {
  Known known;
  known.ratios = {{"a", 1.2}, {"b", 2}, {"c", 1.3}};
  known.deaths = {{"b", 9}, {"c", 1}};
  const std::vector<fs::path> files = {"a", "b", "c"};
  const auto raced = known.race("o", files, {});
  REQUIRE(raced.ok());
  CHECK(raced->ranking == std::vector<std::size_t>{2, 0});
  CHECK(raced->against_original[1].error().message == "it died of b");
}

// A race as a journal has it: comparisons with the original, the fastest first.
struct Recorded {
  testing::ScratchFolder folder;
  fs::path original = folder / "o";
  std::vector<fs::path> files = {folder / "a", folder / "b", folder / "c"};

  Recorded() {
    testing::write_bytes(original, "o");
    for (const fs::path& file : files) testing::write_bytes(file, file.filename().string());
  }
  RecordedComparison comparison(std::size_t file, double ratio) const {
    const auto compared = compared_files(original, files[file]);
    REQUIRE(compared.ok());
    return {*compared, of_ratio(ratio)};
  }
};

TEST_CASE("A race that was recorded has the ranking that it had, whatever the ratios are") {
  const Recorded world;
  ReplayProfiler replay({world.comparison(2, 1.5), world.comparison(0, 1.6),
                         world.comparison(0, 1.7), world.comparison(2, 1.8)},
                        nullptr);
  const auto first = replay.race(world.original, world.files, {});
  REQUIRE(first.ok());
  CHECK(first->ranking == std::vector<std::size_t>{2, 0});
  CHECK_FALSE(first->against_original[1].ok());
  const auto second = replay.race(world.original, world.files, {});
  REQUIRE(second.ok());
  CHECK(second->ranking == std::vector<std::size_t>{0, 2});
  CHECK(second->against_original[0]->ratio.median == 1.7);
}

TEST_CASE("A race that was recorded in part is run anew where somebody can") {
  const Recorded world;
  Known live;
  for (const fs::path& file : world.files) live.ratios[file.string()] = 3;
  ReplayProfiler replay({world.comparison(2, 1.5)}, &live);
  const auto raced = replay.race(world.original, world.files, {});
  REQUIRE(raced.ok());
  CHECK(live.asked == 3);
  CHECK(raced->against_original[2]->ratio.median == 3);
}

}  // namespace
}  // namespace pet
