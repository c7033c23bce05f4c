// Answers as tests of JUnit's XML, which build servers read.
#pragma once

#include <span>
#include <string>

#include "app/pet-verify/told.h"

namespace pet::app {

// `left`: how many were not looked at. Without them it would look like a batch that passed.
std::string junit_report(std::span<const Told> pairs, std::size_t left = 0);

}  // namespace pet::app
