// Moves are values, and one function says them in words: no other source may hold these words, to
// make them a second time or to look for them in a sentence.
#include <catch2/catch.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "core/program/move.h"

namespace pet {
namespace {

namespace fs = std::filesystem;

std::vector<Move> one_of_each() {
  std::vector<Move> out = {move::FoldNormalisation{}, move::ComposeWeights{},
                           move::Join{2, 0, 3, true}, move::Interleave{2, 0, 3},
                           move::Cut{3, 2, true},     move::PadEnd{2, 3},
                           move::DropIdleTaps{2},     move::TapsApart{2},
                           move::TapsToChannels{3},   move::ChannelsToTaps{4, 2},
                           move::FeaturesToGroups{3}, move::GroupsToBlocks{2},
                           move::AxisToBatch{2},      move::ExchangeDimensions{0, 1}};
  for (std::size_t i = 0; i < move::kMergings; ++i)
    out.emplace_back(move::Merge{static_cast<move::Merging>(i)});
  for (std::size_t i = 0; i < move::kGathered; ++i)
    out.emplace_back(move::Phases{2, 3, static_cast<move::Gathered>(i)});
  for (std::size_t i = 0; i < move::kShaped; ++i)
    out.emplace_back(move::Form{static_cast<move::Shaped>(i)});
  for (std::size_t i = 0; i < move::kAxisPlaces; ++i)
    out.emplace_back(
        move::FastConvolution{2, static_cast<move::AxisPlace>(i), 4, 3, 1, 2, false, true});
  for (std::size_t i = 0; i < kCorrectionWays; ++i)
    out.emplace_back(move::Correct{static_cast<CorrectionWay>(i)});
  return out;
}

// The words between the numbers: "join ", " of axis ", " along axis ".
std::set<std::string> fragments() {
  std::set<std::string> out;
  for (const Move& move : one_of_each()) {
    std::string piece;
    for (const char c : in_words(move) + "0") {
      if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
        piece += c;
      } else {
        if (piece.size() >= 13) out.insert(piece);
        piece.clear();
      }
    }
  }
  return out;
}

// String literals that hold the words of a move, or cut a sentence where one would end.
std::vector<std::string> sentences(const std::string& line, const std::set<std::string>& words) {
  static const std::regex literal(R"re("((?:[^"\\]|\\.)*)")re");
  std::vector<std::string> out;
  if (line.find_first_not_of(' ') == line.find("//")) return out;
  for (std::sregex_iterator it(line.begin(), line.end(), literal), end; it != end; ++it) {
    const std::string text = (*it)[1];
    const bool cuts = text == ", then " || text.starts_with(", corrected");
    for (const std::string& word : words)
      if (text.find(word) != std::string::npos) out.push_back(word);
    if (cuts) out.push_back(text);
  }
  return out;
}

TEST_CASE("Words of a move are recognised, and where a sentence is cut") {
  const auto words = fragments();
  CHECK_FALSE(
      sentences(R"(if (how.starts_with("corrected by recomputing")) return;)", words).empty());
  CHECK_FALSE(sentences(R"(how.substr(0, how.find(", then ")))", words).empty());
  CHECK_FALSE(sentences(R"(number_after(move, " channels along axis "))", words).empty());
  CHECK(sentences(R"(// the taps of axis 2 to channels)", words).empty());
  CHECK(sentences(R"(return "a sum of products";)", words).empty());
}

TEST_CASE("No source but one says a move in words, and none looks for them in a sentence") {
  const auto words = fragments();
  REQUIRE(words.size() > 12);
  const fs::path root = PET_SOURCE_DIR;
  std::size_t files = 0;
  for (const char* part : {"core/program", "core/search", "core/run", "app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / part)) {
      const fs::path relative = fs::relative(entry.path(), root);
      const bool is_source = relative.extension() == ".cpp" || relative.extension() == ".h";
      if (!is_source || relative == "core/program/move.cpp") continue;
      ++files;
      std::ifstream stream(entry.path());
      int number = 0;
      for (std::string line; std::getline(stream, line);) {
        INFO(relative.string() << ':' << ++number << ": " << line);
        CHECK(sentences(line, words) == std::vector<std::string>{});
      }
    }
  }
  CHECK(files > 100);
}

}  // namespace
}  // namespace pet
