// Whatever bytes a file holds: an answer, never a crash, never long.
#include <sys/resource.h>

#include <catch2/catch.hpp>

#include "core/onnx/model.h"
#include "core/onnx/text.h"
#include "core/util/rng.h"
#include "tests/support/onnx_builder.h"

using namespace pet;
using pet::testing::OnnxBuilder;
using pet::testing::ScratchFolder;

namespace {

std::string rich_model() {
  auto b = pet::testing::conv_relu();
  b.function("Mine", "my", "Sign");
  b.node("Mine", {"x"}, {"m"}, "my");
  b.integers("shape", {2, -1});
  b.node("Reshape", {"y", "shape"}, {"r"});
  auto& branch = b.node("If", {"y"}, {"i"});
  auto& g =
      *OnnxBuilder::attribute(branch, "then_branch", ::onnx::AttributeProto::GRAPH).mutable_g();
  auto& node = *g.add_node();
  node.set_op_type("Sign");
  node.add_input("y");
  node.add_output("local");
  g.add_output()->set_name("local");
  return b.bytes();
}

constexpr const char* kCase = R"(# expect: equivalent
# opset: 13
original (float[1,2,4,4] X, float[3,2,1,1] K) => (float[1,3,4,4] Y) <float[3] b = {1, 2.5, -3e-2}> {
  Y = Conv<pads=[0,0,0,0], group=1>(X, K, b)
}
mutant (float[1,2,4,4] X, float[3,2,1,1] K) => (float[1,3,4,4] Y) <float[3] b = {1, 2.5, -3e-2}> {
  T = Conv(X, K, b)
  Y = Add(T, T)
}
)";

}  // namespace

TEST_CASE("A_file_cut_short_anywhere_is_refused_or_read") {
  const ScratchFolder folder;
  const auto bytes = rich_model();
  const auto whole = read_model((pet::testing::write_bytes(folder / "m", bytes), folder / "m"));
  REQUIRE(whole.ok());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    pet::testing::write_bytes(folder / "m", bytes.substr(0, size));
    const auto model = read_model(folder / "m");
    if (!model) CHECK_FALSE(model.error().message.empty());
  }
}

TEST_CASE("Damaged_and_random_files_are_refused_or_read") {
  const ScratchFolder folder;
  const auto bytes = rich_model();
  Rng rng(20);
  std::size_t refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string damaged = bytes;
    if (round % 10 == 0) {
      damaged.assign(rng.below(400), '\0');
      for (char& c : damaged) c = static_cast<char>(rng.below(256));
    }
    for (std::uint64_t i = 0; !damaged.empty() && i <= rng.below(4); ++i) {
      damaged[rng.below(damaged.size())] = static_cast<char>(rng.below(256));
    }
    pet::testing::write_bytes(folder / "m", damaged);
    if (!read_model(folder / "m")) ++refused;
  }
  CHECK(refused > 1000);
}

TEST_CASE("Lengths_beyond_the_end_of_a_file_are_refused_and_take_no_memory") {
  const ScratchFolder folder;
  const auto part = [](char field, std::uint32_t length) {
    std::string out(1, static_cast<char>(field << 3 | 2));
    for (; length >= 0x80; length >>= 7) out += static_cast<char>(length | 0x80);
    return out += static_cast<char>(length);
  };
  // A graph of an initialiser whose bytes would fill what a file may hold.
  constexpr std::uint32_t kClaimed = 2'000'000'000;
  const std::string bytes = part(7, kClaimed + 20) + part(5, kClaimed + 10) + part(9, kClaimed);
  struct rusage before {};
  ::getrusage(RUSAGE_SELF, &before);
  pet::testing::write_bytes(folder / "m", bytes + std::string(1 << 20, 'w'));
  const auto model = read_model(folder / "m");
  REQUIRE_FALSE(model.ok());
  CHECK(model.error().message.find("not an ONNX file, or a damaged one") != std::string::npos);
  struct rusage after {};
  ::getrusage(RUSAGE_SELF, &after);
  CHECK(after.ru_maxrss - before.ru_maxrss < 128 << 10);  // KiB
}

TEST_CASE("Nesting_beyond_reason_is_refused") {
  const ScratchFolder folder;
  ::onnx::GraphProto nested;
  nested.add_output()->set_name("x");
  for (int depth = 0; depth < 200; ++depth) {
    ::onnx::GraphProto outer;
    auto& node = *outer.add_node();
    node.set_op_type("If");
    auto& attribute = OnnxBuilder::attribute(node, "then_branch", ::onnx::AttributeProto::GRAPH);
    attribute.mutable_g()->Swap(&nested);
    nested.Swap(&outer);
  }
  auto b = pet::testing::conv_relu();
  OnnxBuilder::attribute(b.node("If", {"x"}, {"q"}), "then_branch", ::onnx::AttributeProto::GRAPH)
      .mutable_g()
      ->Swap(&nested);
  CHECK_FALSE(read_model(b.save(folder / "m")).ok());
}

TEST_CASE("What_is_no_regular_file_is_refused") {
  const ScratchFolder folder;
  CHECK_FALSE(read_model(folder / "absent").ok());
  CHECK_FALSE(read_model("/").ok());
  CHECK_FALSE(read_model("/dev/zero").ok());
  pet::testing::write_bytes(folder / "empty", "");
  CHECK_FALSE(read_model(folder / "empty").ok());
}

TEST_CASE("A_damaged_case_text_is_refused_or_read") {
  const std::string text = kCase;
  REQUIRE(parse_case(text, "case").ok());
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto cut = parse_case(text.substr(0, size), "case");
    if (size < text.rfind('}')) CHECK_FALSE(cut.ok());
  }
  Rng rng(21);
  constexpr std::string_view kLetters = "(){}[]<>=,\"#:-.e0123456789 \nabcXYZ";
  for (int round = 0; round < 4000; ++round) {
    std::string damaged = text;
    for (std::uint64_t i = 0; i <= rng.below(4); ++i)
      damaged[rng.below(damaged.size())] = kLetters[rng.below(kLetters.size())];
    const auto read = parse_case(damaged, "case");
    if (!read) CHECK(read.error().message.find('\n') == std::string::npos);
  }
}

TEST_CASE("A_case_that_nests_types_or_graphs_beyond_reason_is_refused") {
  const std::string head = "original (float[1] X) => (float[1] Y) {\n";
  std::string types = "original (";
  std::string graphs = head;
  std::string commented = head;
  for (int depth = 0; depth < 100'000; ++depth) {
    types += "seq(";
    graphs += "Y = If <b = g () => (c) {\n";
    commented += "Y = If <b = g () => (c) { # }\n";  // what a comment closes stays open
  }
  for (const std::string& text : {types, graphs, commented})
    CHECK_FALSE(parse_case(text, "case").ok());
}

TEST_CASE("Tables_of_many_axes_do_not_add_up") {
  const ScratchFolder folder;
  OnnxBuilder b;
  b.input("x", {1});
  b.output("y", {1});
  b.node("Relu", {"x"}, {"y"});
  b.integers("v0", {0});
  auto& index = b.integers("index", {0});
  for (int axis = 1; axis < 16; ++axis) index.add_dims(1);
  for (int i = 0; i < 50; ++i) {
    const std::string number = std::to_string(i + 1);
    b.node("Gather", {"v" + std::to_string(i), "index"}, {"v" + number});
  }
  const auto model = read_model(b.save(folder / "m"));
  if (!model) return;  // refused
  for (const Node& node : model->graph.nodes())
    CHECK((!node.type.shape || node.type.shape->size() <= kMaxRank));
}
