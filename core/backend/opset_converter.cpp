#include "core/backend/opset_converter.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/backend/process.h"
#include "core/backend/python_command.h"
#include "core/util/printable.h"

namespace pet {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::minutes kPatience{10};

}  // namespace

Result<ConvertedOpset> convert_opset(const std::filesystem::path& in,
                                     const std::filesystem::path& out, int opset) {
  auto command =
      python_command({.what = "operator set converter",
                      .variable = "PET_OPSET_CONVERTER",
                      .installed = "bin/pet-convert-opset",
                      .source = "app/opset_converter/convert.py",
                      .advice = "run tools/setup, or set PET_PYTHON to a Python that has onnx "
                                "and that you may run"});
  if (!command) return std::move(command).error();
  command->insert(command->end(), {in.string(), out.string(), std::to_string(opset)});
  auto converter = ChildProcess::start(*command);
  if (!converter) return std::move(converter).error();
  const auto line = converter->receive(kPatience);
  if (!line) return Error(line.error()).within("the operator set converter");
  const Json answer = Json::parse(*line, nullptr, false);
  try {
    if (answer.contains("error")) {
      return Error{fmt::format("{}: onnx.version_converter does not make it operator set {}: {}",
                               printable(in.string()), opset,
                               printable(answer.at("error").get<std::string>())),
                   ErrorKind::Unsupported};
    }
    return ConvertedOpset{.from = answer.at("from").get<std::int64_t>(),
                          .nodes_before = answer.at("before").get<std::size_t>(),
                          .nodes_after = answer.at("after").get<std::size_t>(),
                          .converter = answer.at("onnx").get<std::string>()};
  } catch (const Json::exception&) {
    return Error{fmt::format("the operator set converter answered nonsense: {}",
                             printable(line->substr(0, 120))),
                 ErrorKind::Tool};
  }
}

}  // namespace pet
