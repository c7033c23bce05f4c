#include "gpu/device/libraries.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>

#include "core/util/printable.h"

namespace pet::gpu {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) {
    if (!part.empty()) out.push_back(part);
  }
  return out;
}

std::vector<fs::path> folders_below(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    out.push_back(it->path());
  std::ranges::sort(out);
  return out;
}

std::vector<fs::path> of_toolkits() {
  std::vector<fs::path> out;
  for (const fs::path& folder : folders_below("/usr/local")) {
    if (!folder.filename().string().starts_with("cuda")) continue;
    out.push_back(folder / "lib64");
    out.push_back(folder / "lib");
    out.push_back(folder / "targets/x86_64-linux/lib");
  }
  return out;
}

std::vector<fs::path> of_python() {
  const char* ask =
      "python3 -c 'import site; print(\":\".join(site.getsitepackages()))' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(ask, "r"), pclose);
  std::string text;
  std::array<char, 4096> line{};
  if (pipe && std::fgets(line.data(), line.size(), pipe.get()) != nullptr) text = line.data();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::vector<fs::path> out;
  for (const std::string& site : split(text, ':')) {
    for (const fs::path& package : folders_below(fs::path(site) / "nvidia"))
      out.push_back(package / "lib");
  }
  return out;
}

std::vector<fs::path> places() {
  std::vector<fs::path> out;
  if (const char* chosen = std::getenv("PET_CUDA_LIBRARIES"); chosen != nullptr) {
    for (const std::string& folder : split(chosen, ':')) out.emplace_back(folder);
  }
  out.emplace_back();  // where the loader looks
  for (const auto& more : {of_toolkits(), of_python()})
    out.insert(out.end(), more.begin(), more.end());
  return out;
}

// cuDNN and cuBLAS open parts of themselves by name: those must be found, too. `broken`: why one
// that is there cannot be loaded.
void* open_in(const fs::path& folder, const std::string& file, std::string& broken) {
  const fs::path path = folder.empty() ? fs::path(file) : folder / file;
  std::error_code failed;
  if (!folder.empty() && !fs::exists(path, failed)) return nullptr;
  if (void* found = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return found;
  const std::string said = dlerror();
  const bool is_missing = said.starts_with(path.string() + ": cannot open shared object file");
  if (!is_missing && broken.empty()) broken = said;
  return nullptr;
}

}  // namespace

void* open_library(const std::string& files, std::string& why) {
  static const std::vector<fs::path> all = places();
  std::string broken;
  for (const fs::path& folder : all) {
    for (const std::string& file : split(files, ' ')) {
      if (void* found = open_in(folder, file, broken)) return found;
    }
  }
  why = split(files, ' ').front() +
        (broken.empty() ? " is not there" : " cannot be loaded: " + printable(broken));
  return nullptr;
}

namespace {

// `files`: its names, as it was looked for.
template <class Pointer>
void find(void* library, const std::string& files, const char* name, Pointer& pointer,
          std::string& why) {
  if (library == nullptr) return;
  pointer = reinterpret_cast<Pointer>(dlsym(library, name));
  if (pointer == nullptr && why.empty())
    why = fmt::format("{} has no {}: it is too old", split(files, ' ').front(), name);
}

Libraries load() {
  Libraries out;
#define LIBRARY(name, files)              \
  const std::string name##_files = files; \
  void* name = open_library(name##_files, out.name##_missing);
#define FUNCTION(library, result, name, parameters) \
  find(library, library##_files, #name, out.name, out.library##_missing);
#include "gpu/device/libraries.def"
#undef LIBRARY
#undef FUNCTION
  return out;
}

}  // namespace

Status Libraries::complete() const {
  std::string missing;
#define LIBRARY(name, files) \
  if (!name##_missing.empty()) missing += (missing.empty() ? "" : "; ") + name##_missing;
#define FUNCTION(library, result, name, parameters)
#include "gpu/device/libraries.def"
#undef LIBRARY
#undef FUNCTION
  if (missing.empty()) return Done{};
  return Error{
      fmt::format("no CUDA here: {}; install NVIDIA's driver, and CUDA 12 or 13 with cuDNN 9 "
                  "(pip: nvidia-cudnn-cu13, nvidia-cublas, nvidia-cuda-nvrtc), or set "
                  "PET_CUDA_LIBRARIES to the folders that hold them",
                  missing),
      ErrorKind::Tool};
}

const Libraries& libraries() {
  static const Libraries all = load();
  return all;
}

Error driver_error(const Libraries& lib, int code, const std::string& doing) {
  const char* name = nullptr;
  const char* words = nullptr;
  lib.cuGetErrorName(code, &name);
  lib.cuGetErrorString(code, &words);
  return {fmt::format("{}: {} ({})", doing, words == nullptr ? "unknown error" : words,
                      name == nullptr ? std::to_string(code) : name),
          ErrorKind::Tool};
}

}  // namespace pet::gpu
