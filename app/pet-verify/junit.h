// Answers as tests of JUnit's XML, which build servers read.
#pragma once

#include <span>
#include <string>

#include "app/pet-verify/told.h"

namespace pet::app {

std::string junit_report(std::span<const Told> pairs);

}  // namespace pet::app
