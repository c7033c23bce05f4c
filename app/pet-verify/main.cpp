#include <algorithm>
#include <filesystem>

#include "app/pet-verify/commands.h"

namespace pet::app {
namespace {

// Small letters and hyphens, and no file or folder: a command, or meant to be one.
bool reads_like_a_command(const std::string& word) {
  const auto of_a_command = [](char c) { return c == '-' || (c >= 'a' && c <= 'z'); };
  std::error_code failure;
  return std::ranges::all_of(word, of_a_command) && !std::filesystem::exists(word, failure);
}

// Without a command's name it is `compare`: pet-verify A.onnx B.onnx, pet-verify --quiet CASES.
std::vector<const char*> with_command(std::span<const CommandRow> table, int argc,
                                      const char* const* argv) {
  std::vector<const char*> out(argv, argv + argc);
  const std::string first = argc > 1 ? argv[1] : "";
  const bool of_the_program = first == "--help" || first == "-h" || first == "--version";
  if (!of_the_program && !is_command(table, first) &&
      (first.starts_with("-") || !reads_like_a_command(first) || first.empty()))
    out.insert(out.begin() + 1, "compare");
  return out;
}

int run(int argc, char** argv) {
  CLI::App app("Are two programs equal, and where are they not?", "pet-verify");
  app.footer(
      "Exit codes: 0 equivalent, or as expected; 1 not; 2 usage; 3 unknown; 4 malformed or "
      "unsupported;\n"
      "5 engines disagree; 6 bad certificate; 130 stopped.");
  app.set_version_flag("--version", "pet-verify " PET_VERSION);
  // The program's help is that of all its commands.
  app.set_help_flag();
  app.set_help_all_flag("-h,--help", "Print this help message and exit");
  const std::vector<CommandRow> table = {{"compare", add_compare},
                                         {"rules", add_rules},
                                         {"check", add_check},
                                         {"self-test", add_self_test}};
  const auto arguments = with_command(table, argc, argv);
  return run_command(app, table, static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace
}  // namespace pet::app

int main(int argc, char** argv) {
  return pet::app::guarded("pet-verify", [&] { return pet::app::run(argc, argv); });
}
