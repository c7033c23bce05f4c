#include "app/common/opset_flag.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/common/command_line.h"
#include "core/backend/opset_converter.h"
#include "core/onnx/model.h"
#include "core/util/printable.h"

namespace pet::app {

CLI::Option* add_opset_flag(CLI::App& command, OpsetFlag& flag) {
  return command
      .add_option("--opset", flag.opset,
                  "have onnx.version_converter make the file one of this operator set first, as "
                  "those older than 9 need")
      ->check(CLI::Range(kOldestOpset, kNewestOpset));
}

Result<std::string> at_opset(std::string_view program, const std::string& file,
                             const OpsetFlag& flag) {
  namespace fs = std::filesystem;
  if (!flag.opset) return file;
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return file;  // the reader says what is wrong
  auto folder = ScratchFolder::make("pet-opset");
  if (!folder) return std::move(folder).error();
  const fs::path made = folder->path() / fs::path(file).filename();
  const auto done = convert_opset(file, made, *flag.opset);
  if (!done) return done.error();
  flag.folders->push_back(*std::move(folder));
  say(fmt::format("{}: {}: operator set {} made {} by onnx {}, {} nodes before and {} after\n",
                  program, printable(file), done->from, *flag.opset, printable(done->converter),
                  done->nodes_before, done->nodes_after));
  return made.string();
}

}  // namespace pet::app
