#include "app/pet/optimize_paths.h"

#include <fmt/format.h>

#include "app/common/files.h"
#include "core/onnx/inventory.h"
#include "core/util/printable.h"

namespace pet::app {

Status check_paths(const OptimizeOptions& options) {
  std::vector<std::string> taken = {options.in};
  for (const std::string& path :
       {options.out, options.journal, options.report, certificate_path(options)}) {
    if (path.empty() && (path != options.out || options.measure_only)) continue;
    for (const std::string& other : taken) {
      if (!is_same_file(path, other)) continue;
      return Error{
          fmt::format("{} would be overwritten; name another file to write", printable(other)),
          ErrorKind::Usage};
    }
    auto status = path == options.out ? check_writable(path) : check_writable_log(path);
    if (!status) return status;
    taken.push_back(path);
  }
  for (const std::string& other : taken) {
    for (const std::string& kept : {options.cache, options.profile}) {
      if (kept.empty() || !is_same_file(kept, other)) continue;
      return Error{fmt::format("{} is no file of measurements", printable(other)),
                   ErrorKind::Usage};
    }
  }
  return Done{};
}

Status keep_what_is_read(const Model& model, const OptimizeOptions& options) {
  namespace fs = std::filesystem;
  std::vector<fs::path> read = external_files(model);
  std::error_code failure;
  for (fs::recursive_directory_iterator it(options.input_data, failure), end; !failure && it != end;
       it.increment(failure))
    read.push_back(it->path());
  const std::vector<fs::path> written = {options.out, options.journal, options.report,
                                         certificate_path(options), options.cache};
  return keep(read, written);
}

std::string certificate_path(const OptimizeOptions& options) {
  if (options.certificate == "none" || options.measure_only) return {};
  if (!options.certificate.empty()) return options.certificate;
  // A report that goes to a device or a pipe has nothing beside it.
  const bool is_file = options.report.ends_with(".json");
  std::filesystem::path path = is_file ? options.report : options.out;
  return path.replace_extension(".certificate.json").string();
}

}  // namespace pet::app
