// The journal of a search: one JSON object a line, flushed as it happens, so that whatever stops
// the search loses nothing. The first line says format, tool version, seed and configuration.
#pragma once

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "core/search/events.h"
#include "core/util/result.h"

namespace pet {

class Journal {
 public:
  // `header`: configuration by name, written into the first line.
  static Result<Journal> create(const std::filesystem::path& path,
                                const std::map<std::string, std::string>& header);
  void write(const Event& event);
  // Did every line so far get to the disk? Once one did not, no more are tried.
  bool is_whole() const { return whole_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  explicit Journal(std::unique_ptr<std::FILE, Close> file) : file_(std::move(file)) {}
  std::unique_ptr<std::FILE, Close> file_;
  bool whole_ = true;
};

}  // namespace pet
