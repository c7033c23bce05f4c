// Files of tools that store weights in another layout than the original has them in.
#include "verify/weights/rearranged.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <stop_token>

#include "tests/verify/folded_files.h"
#include "verify/files/file_proof.h"

using namespace pet;
using namespace pet::testing;

namespace {

FileVerdict proved(const OnnxBuilder& a, const OnnxBuilder& b) {
  return prove_files(read(a), read(b), {});
}

// With that attribute 1.
void with(::onnx::NodeProto& node, const std::string& attribute) {
  OnnxBuilder::attribute(node, attribute, ::onnx::AttributeProto::INT).set_i(1);
}

const std::vector<float> kTransposed = {1.5F, 0.1F, -0.7F, -1.9F, 2.3F, 3.7F};  // kWeights'

// y[4,3] = x[4,2] * w[2,3]
OnnxBuilder product(const std::vector<float>& weights = kWeights) {
  OnnxBuilder b;
  b.input("x", {4, 2});
  b.output("y", {4, 3});
  b.floats("w", {2, 3}, weights);
  b.node("MatMul", {"x", "w"}, {"y"});
  return b;
}

// The same by a Gemm that wants the other layout.
OnnxBuilder product_of_transposed(const std::vector<float>& weights) {
  OnnxBuilder b;
  b.input("x", {4, 2});
  b.output("y", {4, 3});
  b.floats("w", {3, 2}, weights);
  with(b.node("Gemm", {"x", "w"}, {"y"}), "transB");
  return b;
}

// Two products with the weights of one each, or with both side by side.
OnnxBuilder two_products() {
  OnnxBuilder b;
  b.input("x", {4, 2});
  b.output("y", {4, 3});
  b.output("z", {4, 3});
  b.floats("v", {2, 3}, kWeights);
  b.floats("w", {2, 3}, kOthers);
  b.node("MatMul", {"x", "v"}, {"y"});
  b.node("MatMul", {"x", "w"}, {"z"});
  return b;
}

OnnxBuilder joined_products(const std::vector<float>& first, const std::vector<float>& second) {
  OnnxBuilder b;
  b.input("x", {4, 2});
  b.output("y", {4, 3});
  b.output("z", {4, 3});
  std::vector<float> both;
  for (std::ptrdiff_t row = 0; row < 2; ++row) {
    for (const auto* weights : {&first, &second})
      both.insert(both.end(), weights->begin() + 3 * row, weights->begin() + 3 * row + 3);
  }
  b.floats("vw", {2, 6}, both);
  b.node("MatMul", {"x", "vw"}, {"yz"});
  with(b.node("Split", {"yz"}, {"y", "z"}), "axis");
  return b;
}

std::shared_ptr<const Tensor> counted(const Shape& shape, float first = 0) {
  std::vector<float> values;
  for (Dim i = 0; i < count(shape); ++i) values.push_back(first + static_cast<float>(i));
  return std::make_shared<const Tensor>(Tensor::of_floats(shape, std::move(values)));
}

bool is_found(const Tensor& wanted, const std::vector<std::shared_ptr<const Tensor>>& sources) {
  GraphBuilder b;
  Rearrangements all(sources, {});
  auto made = all.whole(b, wanted);
  if (!made) made = all.in_parts(b, wanted);
  if (made) CHECK(b.type(*made) == wanted.type());
  return made.has_value();
}

}  // namespace

TEST_CASE("Weights that were transposed are the original's") {
  const FileVerdict verdict = proved(product(), product_of_transposed(kTransposed));
  CHECK(verdict.outcome == Outcome::Equivalent);
  CHECK(verdict.weight_programs == 1);
  CHECK(verdict.inexact_constants == 0);
}

TEST_CASE("What is only moved keeps its bits, which no rounding would") {
  const std::vector<float> weights = {1.5F, -0.0F, 1e-42F, 0.1F, -1.9F, 0.0F};
  std::vector<float> transposed = {1.5F, 0.1F, -0.0F, -1.9F, 1e-42F, 0.0F};
  const OnnxBuilder original = product(weights);
  CHECK(proved(original, product_of_transposed(transposed)).outcome == Outcome::Equivalent);
  transposed[2] = 0;
  CHECK(proved(original, product_of_transposed(transposed)).outcome != Outcome::Equivalent);
  // Beside nothing else that is small, too.
  CHECK(proved(product({1.5F, 2, 1e-42F, 0.1F, -1.9F, 3}),
               product_of_transposed({1.5F, 0.1F, 2, -1.9F, 1e-42F, 3}))
            .outcome == Outcome::Equivalent);
}

TEST_CASE("How they follow is told for a certificate") {
  FileProofOptions options;
  options.proof.record_test = true;
  const FileVerdict told =
      prove_files(read(product()), read(product_of_transposed(kTransposed)), options);
  REQUIRE(told.found_programs);
  const auto programs = decoded(*told.found_programs);
  REQUIRE(programs);
  CHECK(programs->results.size() == 1);
  CHECK(programs->graph.inputs().size() == 1);
  CHECK(told.test);
  // Two that follow from one have it as one operand.
  const FileVerdict apart =
      prove_files(read(joined_products(kWeights, kOthers)), read(two_products()), options);
  REQUIRE(apart.found_programs);
  const auto both = decoded(*apart.found_programs);
  REQUIRE(both);
  CHECK(both->results.size() == 2);
  CHECK(both->graph.inputs().size() == 1);
  CHECK(!proved(product(), product_of_transposed(kTransposed)).found_programs);
}

TEST_CASE("A file whose own weight programs are wrong is not explained by others") {
  OnnxBuilder mutant = product_of_transposed(kTransposed);
  set_metadata(mutant, "nonsense");
  const FileVerdict verdict = proved(product(), mutant);
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason.starts_with("weight programs"));
}

TEST_CASE("Looking for what is nowhere comes to an end, and stops when asked to") {
  // So many sources of the same elements that trying every order of each would take a minute.
  std::vector<std::shared_ptr<const Tensor>> sources;
  std::vector<float> values(32);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < 1500; ++i) {
    std::swap(values[i % 31], values[(7 * i + 3) % 32]);
    sources.push_back(std::make_shared<const Tensor>(Tensor::of_floats({2, 2, 2, 2, 2}, values)));
  }
  std::stop_source stop;
  Rearrangements stopped(sources, stop.get_token());
  GraphBuilder b;
  CHECK(stopped.whole(b, *sources.front()));
  stop.request_stop();
  CHECK(!stopped.whole(b, *sources.front()));
  std::ranges::reverse(values);
  const Tensor wanted = Tensor::of_floats({2, 2, 2, 2, 2}, values);
  Rearrangements all(sources, {});
  for (int i = 0; i < 2000; ++i) CHECK(!all.whole(b, wanted));
  CHECK(!all.whole(b, *sources.front()));  // it is at its end
}

TEST_CASE("Weights that were transposed wrongly, or changed, are not") {
  CHECK(proved(product(), product_of_transposed(kWeights)).outcome == Outcome::Different);
  auto changed = kTransposed;
  changed[4] = std::nextafterf(changed[4], 9);
  CHECK(proved(product(), product_of_transposed(changed)).outcome != Outcome::Equivalent);
}

TEST_CASE("Weights side by side in one constant, and taken apart again, are the original's") {
  CHECK(proved(two_products(), joined_products(kWeights, kOthers)).outcome == Outcome::Equivalent);
  CHECK(proved(joined_products(kWeights, kOthers), two_products()).outcome == Outcome::Equivalent);
  CHECK(proved(two_products(), joined_products(kOthers, kWeights)).outcome == Outcome::Different);
  CHECK(proved(two_products(), joined_products(kWeights, kWeights)).outcome != Outcome::Equivalent);
}

TEST_CASE("A constant is found in whatever way one was moved, and in no other") {
  const auto source = counted({2, 3, 4});
  CHECK(is_found(*counted({6, 4}), {source}));
  CHECK(is_found(*counted({1, 24, 1}), {source}));
  // [4,2,3] of [2,3,4], grouped as [8,3]; [3,2,4] of it, grouped as [3,8]
  std::vector<float> last_first;
  std::vector<float> exchanged;
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 6; ++i) last_first.push_back(static_cast<float>(4 * i + k));
  }
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 2; ++i) {
      for (int k = 0; k < 4; ++k) exchanged.push_back(static_cast<float>(12 * i + 4 * j + k));
    }
  }
  CHECK(is_found(Tensor::of_floats({8, 3}, last_first), {source}));
  CHECK(is_found(Tensor::of_floats({4, 6}, last_first), {counted({6, 4})}));
  CHECK(is_found(Tensor::of_floats({4, 2, 3}, last_first), {counted({6, 4})}));
  CHECK(is_found(Tensor::of_floats({3, 8}, exchanged), {source}));
  // [4..8) and [20..24) of [2,3,4]: the second of three rows is [4..8) and [16..20)
  CHECK(is_found(Tensor::of_floats({2, 1, 4}, {4, 5, 6, 7, 16, 17, 18, 19}), {source}));
  CHECK_FALSE(is_found(Tensor::of_floats({2, 1, 4}, {4, 5, 6, 7, 20, 21, 22, 23}), {source}));
  // a part of each, one of them transposed with all of it
  CHECK(is_found(*counted({5, 2}), {counted({2, 2}), counted({3, 2}, 4)}));
  CHECK(is_found(Tensor::of_floats({2, 2}, {0, 2, 1, 3}), {counted({1, 2}), counted({1, 2}, 2)}));
  CHECK_FALSE(is_found(*counted({5, 2}), {counted({2, 2}), counted({2, 2}, 4)}));
  // rows of one number, which any reshape has
  GraphBuilder b;
  const Tensor ones = Tensor::of_floats({3, 2}, std::vector<float>(6, 1));
  Rearrangements all(
      {std::make_shared<const Tensor>(Tensor::of_floats({2, 3}, std::vector<float>(6, 1)))}, {});
  const auto made = all.whole(b, ones);
  REQUIRE(made);
  CHECK(b.node(*made).op()->def->name == "Transpose");
  // -0 is not 0, and nothing is made of pieces of one number
  CHECK_FALSE(is_found(Tensor::of_floats({2}, {-0.0F, 1}), {counted({1, 2})}));
  CHECK_FALSE(is_found(Tensor::of_floats({2}, {0, 0}),
                       {std::make_shared<const Tensor>(Tensor::of_floats({3}, {0, 0, 1}))}));
}

TEST_CASE("What does not follow from the original's constants is what it is") {
  // y = (x w) diag(2, 2, 2), the numbers stored beside a transposed weight
  const auto file = [](const std::vector<float>& weights, bool is_transposed) {
    OnnxBuilder b;
    b.input("x", {4, 2});
    b.output("y", {4, 3});
    b.floats("w", is_transposed ? Shape{3, 2} : Shape{2, 3}, weights);
    if (is_transposed) {
      with(b.node("Gemm", {"x", "w"}, {"p"}), "transB");
      b.floats("d", {3}, {2, 2, 2});
      b.node("Mul", {"p", "d"}, {"y"});
    } else {
      b.node("MatMul", {"x", "w"}, {"p"});
      b.node("Add", {"p", "p"}, {"y"});
    }
    return b;
  };
  CHECK(proved(file(kWeights, false), file(kTransposed, true)).outcome == Outcome::Equivalent);
  CHECK(proved(file(kWeights, false), file(kOthers, true)).outcome == Outcome::Different);
}
