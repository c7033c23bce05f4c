// What the Profile page asks of whoever made the window: functions that are called in threads of
// jobs and end soon after they are asked to.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/util/result.h"
#include "viz/geometry/profile_chart.h"
#include "viz/views/opened.h"

namespace pet::viz {

// One program, or two with the same inputs, as files that can be run.
struct PreparedPrograms {
  std::vector<TimedProgram> programs;
  std::vector<std::shared_ptr<const Model>> models;  // read from those files
  std::shared_ptr<const void> files;                 // they stand there as long as this lives
};

struct MeasuredWhole {
  WholeTimes times;
  std::string target;  // the runtime, its device and its threads
};

struct MeasuredOperators {
  std::vector<RecordedProgram> programs;
  std::string target;
};

enum class Memory { Asked, Ignored };  // whether a measurement of an earlier run will do

struct ProfilePorts {
  std::vector<std::string> targets;  // what can be measured on; the first one is the usual one
  // `other`: a file to compare a model with; empty: none.
  std::function<Result<PreparedPrograms>(const Opened&, const std::filesystem::path& other,
                                         const std::stop_token&)>
      prepare;
  std::function<Result<MeasuredWhole>(const PreparedPrograms&, const std::string& target, Memory,
                                      const std::stop_token&)>
      measure;
  // An Error of kind Unsupported where the target does not offer it.
  std::function<Result<MeasuredOperators>(const PreparedPrograms&, const std::string& target,
                                          const std::stop_token&)>
      record;
};

}  // namespace pet::viz
