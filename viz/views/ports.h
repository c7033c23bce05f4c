// What the window asks of whoever made it: functions that are called in threads of jobs and end
// soon after they are asked to.
#pragma once

#include <QString>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "viz/geometry/scene.h"
#include "viz/views/opened.h"

namespace pet::viz {

// An example on the start page.
struct ExampleCard {
  QString id;
  QString title;
  QString text;
  Scene picture;
};

struct WindowPorts {
  std::function<Result<OpenedPair>(const std::filesystem::path&, const std::stop_token&)> open_case;
  std::function<Result<OpenedPair>(const std::string& example, const std::stop_token&)>
      open_example;
  std::function<Result<OpenedModel>(const std::filesystem::path&, const std::stop_token&)>
      open_model;
  std::function<Result<InspectedTerms>(const OpenedPair&, std::size_t output, const Shape& position,
                                       const std::stop_token&)>
      terms;
  std::vector<ExampleCard> cards;
};

}  // namespace pet::viz
