// What pet-verify leaves behind when engines disagree.
#include "app/pet-verify/bundle.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/common/command_line.h"
#include "app/pet-verify/run.h"
#include "tests/support/liar.h"
#include "tests/support/onnx_builder.h"
#include "verify/bitmap/bitmap_engine.h"

using namespace pet;
using namespace pet::app;
using pet::testing::OnnxBuilder;
using pet::testing::ScratchFolder;
namespace fs = std::filesystem;

namespace {

fs::path saved(const std::string& op, const fs::path& path) {
  OnnxBuilder b(17, 8);
  b.input("x", {2, 3});
  b.output("y", {2, 3});
  b.node(op, {"x"}, {"y"}).set_name(path.stem().string());  // no two files are the same
  return b.save(path);
}

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

template <class Second>
int run_with(const Options& options) {
  return run(options, [] {
    Engines engines;
    engines.push_back(std::make_unique<BitmapEngine>());
    engines.push_back(std::make_unique<Second>());
    return engines;
  });
}

int run_with_liar(const Options& options) { return run_with<test::Liar>(options); }

std::vector<fs::path> folders_below(const fs::path& path) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.is_directory()) out.push_back(entry.path());
  }
  return out;
}

}  // namespace

TEST_CASE(
    "Engines that disagree leave both files, what each said, and the command that repeats it") {
  const ScratchFolder folder;
  Options options;
  options.files = {saved("Relu", folder / "a.onnx"), saved("Relu", folder / "b.onnx")};
  options.bundle = folder / "kept";
  options.seed_given = true;
  set_seed(options, 1234);
  REQUIRE(run_with_liar(options) == kDisagreement);
  const auto bundles = folders_below(options.bundle);
  REQUIRE(bundles.size() == 1);
  const fs::path& bundle = bundles.front();
  CHECK(bundle.filename().string().starts_with("disagreement-"));
  CHECK(text_of(bundle / "original.onnx") == text_of(options.files[0]));
  CHECK(text_of(bundle / "mutant.onnx") == text_of(options.files[1]));
  const auto verdicts = nlohmann::json::parse(text_of(bundle / "verdicts.json"));
  REQUIRE(verdicts["engines"].size() == 2);
  CHECK(verdicts["engines"][0]["verdict"] == "equivalent");
  CHECK(verdicts["engines"][1]["verdict"] == "different");
  CHECK(verdicts["engines"][0]["engine"] == "bitmap");
  CHECK(verdicts["engines"][1]["engine"] == "liar");
  CHECK(verdicts["engines"][0]["proof_seed"] == 1234);
  CHECK(text_of(bundle / "reproduce.txt") ==
        "pet-verify --error 2^-64 --seed 1234 original.onnx mutant.onnx\n");

  REQUIRE(run_with_liar(options) == kDisagreement);  // the same files: the same folder
  CHECK(folders_below(options.bundle).size() == 1);
}

TEST_CASE("A case is kept as it is, even where engines disagree about a program and itself") {
  const ScratchFolder folder;
  const fs::path path = folder / "c.txt";
  std::ofstream(path) << "# expect: equivalent\n"
                         "original (float[2] X) => (float[2] Y) { Y = Relu(X) }\n"
                         "mutant (float[2] X) => (float[2] Y) { Y = Relu(X) }\n";
  Options options;
  options.files = {path};
  options.bundle = folder / "";
  CHECK(run_with_liar(options) == kDisagreement);
  const auto bundles = folders_below(folder / "");
  REQUIRE(bundles.size() == 1);
  CHECK(text_of(bundles.front() / "case.txt") == text_of(path));
}

TEST_CASE("A bundle that cannot be written does not hide the disagreement") {
  const ScratchFolder folder;
  Options options;
  options.files = {saved("Relu", folder / "a.onnx"), saved("Relu", folder / "b.onnx")};
  options.bundle = options.files[0];  // a file, not a folder
  CHECK(run_with_liar(options) == kDisagreement);
}

TEST_CASE("Engines that agree leave nothing") {
  const ScratchFolder folder;
  Options options;
  options.files = {saved("Relu", folder / "a.onnx"), saved("Sigmoid", folder / "b.onnx")};
  options.bundle = folder / "kept";
  CHECK(run_with<BitmapEngine>(options) == kNotEqual);
  CHECK_FALSE(fs::exists(options.bundle));
}

namespace {

// One of our own contracts is broken, for files of one kind.
class Defective final : public Engine {
 public:
  std::string_view name() const override { return "defective"; }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& how) override {
    PET_CHECK(original.node(original.outputs()[0]).op()->def->name != "Abs", "no Abs");
    return BitmapEngine().check(original, mutant, how);
  }
};

}  // namespace

TEST_CASE("A defect that one pair of a batch meets costs that pair, and is told") {
  const ScratchFolder folder;
  for (const char* op : {"Abs", "Relu", "Neg"}) {
    saved(op, folder / (std::string(op) + "_a.onnx"));
    saved(op, folder / (std::string(op) + "_b.onnx"));
  }
  std::ofstream(folder / "pairs.jsonl") << R"({"a": "Abs_a.onnx", "b": "Abs_b.onnx"})" << '\n'
                                        << R"({"a": "Relu_a.onnx", "b": "Relu_b.onnx"})" << '\n'
                                        << R"({"a": "Neg_a.onnx", "b": "Neg_b.onnx"})" << '\n';
  Options options;
  options.files = {folder / "pairs.jsonl"};
  options.report = folder / "report.jsonl";
  CHECK(run_with<Defective>(options) == kFailed);
  std::ifstream report(folder / "report.jsonl");
  std::vector<std::string> verdicts, reasons;
  for (std::string line; std::getline(report, line);) {
    verdicts.push_back(nlohmann::json::parse(line)["verdict"]);
    reasons.push_back(nlohmann::json::parse(line)["reason"]);
  }
  CHECK(verdicts == std::vector<std::string>{"tool", "equivalent", "equivalent"});
  REQUIRE_FALSE(reasons.empty());
  CHECK(reasons[0].find("a defect of this program") == 0);
  CHECK(reasons[0].find("no Abs") != std::string::npos);
}
