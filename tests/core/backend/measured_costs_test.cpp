// Costs of operators: measured once, remembered, and estimated where there is nobody to measure.
#include "core/backend/measured_costs.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "core/backend/scratch_folder.h"
#include "core/onnx/model.h"
#include "core/ops/ops.h"

namespace pet {
namespace {

// Every operator takes a millisecond: a file takes as many as it has.
class ByOperators final : public Backend {
 public:
  const BackendInfo& info() const override { return info_; }
  Result<LoadedModel> load(const std::filesystem::path& file, const LoadOptions&,
                           std::stop_token) override {
    if (refuses) return Error{"refused", ErrorKind::Tool};
    const auto model = read_model(file);
    if (!model) return model.error();
    double operators = 0;
    for (const Node& node : model->graph.nodes()) operators += node.op() != nullptr ? 1 : 0;
    files_.push_back(operators);
    ++loaded;
    return LoadedModel{ModelId(files_.size() - 1), {}, {}};
  }
  void unload(ModelId) override { --loaded; }
  Result<std::vector<NamedTensor>> run(ModelId, std::span<const NamedTensor>,
                                       std::stop_token) override {
    return Error{"not asked for"};
  }
  Result<PairTiming> time_pair(ModelId a, ModelId b, const PairPlan& plan,
                               std::stop_token) override {
    ++timed;
    const auto rounds = static_cast<std::size_t>(plan.rounds);
    return PairTiming{std::vector<double>(rounds, files_[a.index()]),
                      std::vector<double>(rounds, files_[b.index()])};
  }

  bool refuses = false;
  int loaded = 0;
  int timed = 0;

 private:
  BackendInfo info_;
  std::vector<double> files_;
};

PricedOperator product(Dim columns) {
  return {*make_op(ops::mat_mul(), {}),
          {float_tensor({4, 6}), float_tensor({6, columns})},
          {0, 1},
          false};
}

using From = MeasuredCosts::From;

TEST_CASE("An operator costs what it adds to its window, and is measured once") {
  const auto folder = ScratchFolder::make("pet-test");
  REQUIRE(folder.ok());
  EstimatedCosts estimates;
  ByOperators backend;
  MeasuredCosts::Options options;
  options.database = folder->path() / "costs.txt";
  MeasuredCosts costs(&backend, estimates, options);
  const auto first = costs.answer(product(5));
  CHECK(first.from == From::Measured);
  CHECK(first.ms == 1);
  CHECK(costs.ms(product(5)) == 1);
  CHECK(backend.timed == 1);
  CHECK(backend.loaded == 0);  // nothing stays loaded

  SECTION("over runs, too") {
    MeasuredCosts later(nullptr, estimates, options);
    CHECK(later.answer(product(5)).from == From::Remembered);
    CHECK(later.ms(product(5)) == 1);
    CHECK(later.answer(product(7)).from == From::Estimated);
  }
  SECTION("but not for another number of threads") {
    options.threads = 2;
    CHECK(MeasuredCosts(nullptr, estimates, options).answer(product(5)).from == From::Estimated);
  }
  SECTION("and not from a line that was altered or torn") {
    std::ifstream in(*options.database);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    text.replace(text.rfind('1'), 1, "2");
    std::ofstream(*options.database) << text << "half a line";
    CHECK(MeasuredCosts(nullptr, estimates, options).answer(product(5)).from == From::Estimated);
  }
}

TEST_CASE("What cannot be measured is estimated, and views are neither") {
  EstimatedCosts estimates;
  ByOperators backend;
  backend.refuses = true;
  MeasuredCosts costs(&backend, estimates, {});
  CHECK(costs.answer(product(5)).from == From::Estimated);
  CHECK(costs.ms(product(5)) == estimates.ms(product(5)));
  const PricedOperator view{
      *make_op(ops::reshape(), {{"shape", Ints{6}}}), {float_tensor({2, 3})}, {0}, false};
  CHECK(costs.answer(view).from == From::View);
  CHECK(backend.timed == 0);
}

TEST_CASE("Among operators with a layout of their own the window ends with those") {
  EstimatedCosts estimates;
  ByOperators backend;
  MeasuredCosts costs(&backend, estimates, {});
  PricedOperator relu{*make_op(ops::relu(), {}), {float_tensor({1, 3, 5, 5})}, {0}, true};
  CHECK(costs.answer(relu).ms == 1);
}

}  // namespace
}  // namespace pet
