// A file that was written from here: what it is, and how much of that is known. No Qt here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/backend/profiler.h"
#include "core/program/equivalence.h"

namespace pet::viz {

struct FileFacts {
  std::filesystem::path path;
  std::uintmax_t bytes = 0;
  std::map<std::string, std::size_t> operators;  // how many of each
};

// It was proved equivalent to the original: else it is not there.
struct ExportedFile {
  FileFacts original, written;
  std::filesystem::path certificate;  // empty: there is none
  std::string why_no_certificate;
  Verdict verdict;
  std::size_t places = 0;              // that were changed
  std::size_t left_alone = 0;          // others of the same subprogram, which overlap with these
  std::optional<Comparison> measured;  // of whole files; nothing: nobody measured it
};

// "proved, not measured", or by how much it was measured to be faster.
std::string label_of(const ExportedFile& file);
// One sentence: what was changed, and how sure that is.
std::string in_words(const ExportedFile& file);
// What is different in numbers of operators: "Conv 2 → 1, Transpose 0 → 2".
std::string changes_of(const FileFacts& original, const FileFacts& written);

}  // namespace pet::viz
