// Files that leave sizes open: are two programs equal at all of them?
#pragma once

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "core/onnx/model.h"
#include "verify/all_sizes/sized_program.h"

namespace pet::all_sizes {

// Both files at sizes by name, as often as they are wanted.
using ReadAt = std::function<Result<std::pair<Model, Model>>(const std::map<std::string, Dim>&)>;

// Done, or an Error that says why it was not proved. Over the reals, for sizes from 1 on,
// at all of which both files hold programs.
//
// What a file means may change at a size that nobody looks at: a Slice up to 40 is the whole of
// every shorter axis. So only files are taken whose operators are read by extents that are the same
// at all sizes, and whose constants stand there.
Status prove_for_open_sizes(const std::vector<std::string>& names, const ReadAt& read,
                            Constants constants, std::stop_token stop);

}  // namespace pet::all_sizes
