// What is known of the times of one program, or of two against each other, as paired bars and in
// words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/attribution.h"
#include "core/backend/profiler.h"
#include "viz/geometry/bars.h"

namespace pet::viz {

struct TimedProgram {
  std::string name;
  std::vector<AttributedTime> estimated;
};

// By operator, as a runtime recorded it.
struct RecordedProgram {
  double run_ms = 0;  // the median of whole runs while they were recorded
  std::vector<AttributedTime> times;
};

struct WholeTimes {
  Comparison comparison;  // of one program only the times of a
  bool is_remembered = false;
};

struct ProfileFacts {
  std::vector<TimedProgram> programs;  // one, or two; what follows is by program
  std::optional<WholeTimes> whole{};
  std::string why_no_whole{};  // in words
  std::vector<RecordedProgram> recorded{};
  std::string why_not_recorded{};
};

enum class Grouping { ByType, ByOperator };
enum class Shown { Measured, Modelled };  // of the operators

// Operators are paired by their names and types, or all of a type are added up; those that take the
// longest come first.
BarChart profile_chart(const ProfileFacts& facts, Grouping grouping, Shown shown);

// The median of whole runs with the bounds that the test gives which compares programs.
Bar whole_bar(const std::vector<double>& samples, Source source);

// "faster", "not decided".
std::string_view in_words(Decision decision);

// "measured: mutant is 0.810x as fast as original (0.790 to 0.830): slower, 24 rounds".
std::string headline(const ProfileFacts& facts);

}  // namespace pet::viz
