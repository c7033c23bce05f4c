#include "core/util/temporary_file.h"

#include <fmt/format.h>

#include "core/util/rng.h"

namespace pet {

namespace fs = std::filesystem;

TemporaryFile::TemporaryFile(const fs::path& target)
    : target_(target),
      path_(target.parent_path() /
            fmt::format(".pet-{}.tmp.onnx", fresh_entropy().hex().substr(0, 32))) {}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  fs::remove(path_, ignored);
}

Status TemporaryFile::put_in_place() const {
  std::error_code failed;
  fs::rename(path_, target_, failed);
  if (!failed) return Done{};
  return Error{fmt::format("cannot write {}: {}", target_.string(), failed.message()),
               ErrorKind::Tool};
}

}  // namespace pet
