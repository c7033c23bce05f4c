// A verdict as one line of JSON, and read back from it: what is shown in one process, or today, is
// what another one, or yesterday's, found. Reports for others (app/pet-verify/report.h) say less.
#pragma once

#include <string>
#include <string_view>

#include "core/program/file_verdict.h"

namespace pet {

// An Error: it cannot be written whole, for names that are no UTF-8, or more wrong boxes than are
// listed. No part of it are the TestRecord, found_programs and what was said of how it was asked
// (reproduced, leaves_domain, engines_disagree).
Result<std::string> verdict_json(const FileVerdict& verdict);

// Reads what verdict_json wrote, of whatever text: an Error names the field that makes no sense.
// `equal_at` is there as if ProofOptions::in_detail had asked.
Result<FileVerdict> read_verdict(std::string_view text);

}  // namespace pet
