// An answer as text for people, as a JSON object (report.schema.json), or as a test of JUnit's.
#pragma once

#include <string>

#include "app/pet-verify/answer.h"

namespace pet::app {

std::string text_report(const Answer& answer, const Options& options);

enum class Layout { Pretty, OneLine };
std::string json_report(const Question& question, const Answer& answer, const Options& options,
                        Layout layout);

// As JSON: where the outputs are not equal; the inputs of the witness in full (null: there is
// none).
std::string regions_report(const FileVerdict& verdict);
std::string witness_report(const FileVerdict& verdict);

}  // namespace pet::app
