#include "app/pet-verify/bundle.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/common/files.h"
#include "app/common/json_text.h"
#include "app/pet-verify/report.h"
#include "core/util/digest.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;

struct Copy {
  std::string name;
  std::string bytes;
};

Result<std::vector<Copy>> copies_of(const std::vector<fs::path>& files) {
  std::vector<Copy> out;
  for (const fs::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.good() && !stream.eof())
      return Error{fmt::format("cannot read {} again", printable(file.string())), ErrorKind::Tool};
    const char* model = out.empty() ? "original.onnx" : "mutant.onnx";
    out.push_back({files.size() == 1 ? "case.txt" : model, std::move(bytes)});
  }
  return out;
}

std::string command(const Question& question, const Options& options,
                    const std::vector<Copy>& copies) {
  std::string out = fmt::format("pet-verify --error 2^{} --seed {}", options.proof.proof.log2_error,
                                options.seed);
  if (!options.engine.empty()) out += " --engine " + options.engine;
  if (options.limits.steps) out += fmt::format(" --limits steps={}", *options.limits.steps);
  if (options.proof.proof.bind_weights) out += " --weights bound";
  if (question.outputs == OutputMatch::ByPosition) out += " --outputs by-position";
  for (const auto& [name, size] : question.reading.dimensions)
    out += fmt::format(" --shape '{}={}'", printable(name), size);
  for (const Copy& copy : copies) out += " " + copy.name;
  return out + "\n";
}

std::string verdicts(const Question& question, const Options& options, const std::string& reason,
                     std::span<const Recorder> engines) {
  nlohmann::ordered_json json{{"reason", reason}};
  auto& said = json["engines"] = nlohmann::ordered_json::array();
  for (const Recorder& engine : engines) {
    Answer alone;
    alone.verdict = FileVerdict(engine.last());
    said.push_back(
        nlohmann::ordered_json::parse(json_report(question, alone, options, Layout::OneLine)));
    said.back()["engine"] = engine.name();
  }
  return readable(json);
}

}  // namespace

Result<fs::path> write_bundle(const Question& question, const Options& options,
                              const std::string& reason, std::span<const Recorder> engines) {
  const auto copies = copies_of(question.files);
  if (!copies) return copies.error();
  Digester digester("disagreement");
  for (const Copy& copy : *copies) digester.add(copy.bytes);
  const fs::path folder =
      options.bundle / ("disagreement-" + digester.finish().hex().substr(0, 16));
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    return Error{
        fmt::format("cannot make the folder {}: {}", printable(folder.string()), failure.message()),
        ErrorKind::Tool};
  }
  std::vector<Copy> all = *copies;
  all.push_back({"verdicts.json", verdicts(question, options, reason, engines)});
  all.push_back({"reproduce.txt", command(question, options, *copies)});
  for (const Copy& copy : all) {
    if (auto done = write_text(folder / copy.name, copy.bytes); !done)
      return std::move(done).error();
  }
  return folder;
}

}  // namespace pet::app
