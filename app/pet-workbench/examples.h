// The examples that the program brings along; none needs a file, Python, Z3 or a network.
#pragma once

#include <span>
#include <string_view>

namespace pet::app {

struct Example {
  std::string_view id;
  std::string_view title;
  std::string_view text;       // one sentence
  std::string_view case_text;  // of a pair of programs; else
  std::string_view network;    // the name of a model that is built here
};

std::span<const Example> examples();

}  // namespace pet::app
