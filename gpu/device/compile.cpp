#include "gpu/device/compile.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "core/util/digest.h"

namespace pet::gpu {
namespace {

class Program {
 public:
  Program(const Libraries& lib, const std::string& text) : lib_(lib) {
    lib_.nvrtcCreateProgram(&program_, text.c_str(), "pet_kernels.cu", 0, nullptr, nullptr);
  }
  ~Program() {
    if (program_ != nullptr) lib_.nvrtcDestroyProgram(&program_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  int compile(int architecture) const {
    const std::string target = fmt::format("--gpu-architecture=sm_{}", architecture);
    const std::array<const char*, 3> options = {target.c_str(), "--std=c++17",
                                                "--ptxas-options=-v"};
    return lib_.nvrtcCompileProgram(program_, static_cast<int>(options.size()), options.data());
  }

  std::string log() const {
    std::size_t size = 0;
    lib_.nvrtcGetProgramLogSize(program_, &size);
    std::string out(size, '\0');
    if (size > 0) lib_.nvrtcGetProgramLog(program_, out.data());
    while (!out.empty() && (out.back() == '\0' || out.back() == '\n')) out.pop_back();
    return out;
  }

  std::vector<char> image() const {
    std::size_t size = 0;
    lib_.nvrtcGetCUBINSize(program_, &size);
    std::vector<char> out(size);
    if (size > 0) lib_.nvrtcGetCUBIN(program_, out.data());
    return out;
  }

 private:
  const Libraries& lib_;
  RuntimeProgram program_ = nullptr;
};

// The same text is kept once.
std::string kept(const std::string& text) {
  std::error_code failed;
  const auto name = digest_of("kernel", text).hex().substr(0, 16);
  const auto file =
      std::filesystem::temp_directory_path(failed) / fmt::format("pet-kernel-{}.cu", name);
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  return failed || !out ? "its source cannot be written"
                        : fmt::format("its source is {}", file.string());
}

}  // namespace

Result<MachineCode> compile(const Libraries& lib, const std::string& text, int architecture) {
  if (!lib.nvrtc_missing.empty()) return Error{lib.nvrtc_missing, ErrorKind::Tool};
  const Program program(lib, text);
  const int code = program.compile(architecture);
  MachineCode out{program.image(), program.log()};
  if (code == 0 && !out.image.empty()) return out;
  const std::string first = out.log.substr(0, out.log.find('\n'));
  return Error{
      fmt::format("a generated kernel does not compile for sm_{}: {}{}{}; {}", architecture,
                  lib.nvrtcGetErrorString(code), first.empty() ? "" : ": ", first, kept(text)),
      ErrorKind::Tool};
}

}  // namespace pet::gpu
