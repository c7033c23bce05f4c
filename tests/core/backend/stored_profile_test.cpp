#include "core/backend/stored_profile.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "core/backend/scratch_folder.h"
#include "core/ir/builder.h"
#include "core/ir/structure.h"
#include "core/onnx/export.h"
#include "core/ops/ops.h"

using namespace pet;
namespace fs = std::filesystem;

namespace {

// max(0, x + w) where the rectifier is asked for.
Graph program(const std::string& input, float weight, bool rectified, Dim size = 3) {
  GraphBuilder builder;
  const NodeId x = builder.add_input(input, {DType::Float, Shape{size}});
  const std::vector<float> values(static_cast<std::size_t>(size), weight);
  const NodeId w =
      builder.add_constant(std::make_shared<const Tensor>(Tensor::of_floats({size}, values)));
  NodeId y = *builder.add(Op{&ops::add(), {}}, {x, w});
  if (rectified) y = *builder.add(Op{&ops::relu(), {}}, {y});
  builder.add_output(y);
  return std::move(builder).build();
}

class Live final : public Profiler {
 public:
  explicit Live(int& calls) : calls_(calls) {}
  Result<Comparison> compare(const fs::path&, const fs::path&, std::stop_token) override {
    const double ms = ++calls_;
    return Comparison{{{ms, ms}, {1.5, 1.25}}, {ms, 0.5, HUGE_VAL}, Decision::Undecided, 4};
  }

 private:
  int& calls_;
};

class Bench {
 public:
  Bench() {
    REQUIRE(write_program(program("x", 1, false), 17, a).ok());
    REQUIRE(write_program(program("x", 1, true), 17, b).ok());
  }

  StoredProfile stored() const {
    auto read = StoredProfile::read(file, true);
    REQUIRE(read.ok());
    return *std::move(read);
  }
  Result<Comparison> ask(StoredProfile& profile, const std::string& why_not_live = {}) {
    StoredProfiler profiler(profile, std::make_unique<Live>(calls),
                            {.rule = "a rule", .by = here, .why_not_live = why_not_live});
    return profiler.compare(a, b, {});
  }
  void add_line(const std::string& text) const {
    std::ofstream(file, std::ios::app) << text << "\n";
  }
  std::string text() const {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  ScratchFolder folder = *ScratchFolder::make("stored-profile-test");
  fs::path a = folder.path() / "a.onnx", b = folder.path() / "b.onnx";
  fs::path file = folder.path() / "profile.jsonl";
  BackendInfo here{.name = "cuda", .version = "13", .device = "a GPU", .threads = 0};
  int calls = 0;
};

}  // namespace

TEST_CASE("What a program is apart from names and weights is the same text") {
  const std::string text = structure_text(program("x", 1, true));
  CHECK(text == structure_text(program("other", 7, true)));
  CHECK(text != structure_text(program("x", 1, false)));
  CHECK(text != structure_text(program("x", 1, true, 4)));
}

TEST_CASE("Of a structure the most frequent operators and the inputs are said in short") {
  CHECK(structure_in_short(structure_text(program("x", 1, true))) == "1 Add, 1 Relu of float[3]");
  CHECK(
      structure_in_short("0 in float[2]; 1 in float[3]; 2 in float[4]; 3 float[2]; 4 A<x=[1]>(0); "
                         "5 B(4); 6 B(5); 7 C(6); 8 D(7,3); 9 E(8); out 9") ==
      "2 B, 1 A, 1 C and 2 others of float[2], float[3] and 1 more");
  CHECK(structure_in_short("0 in float[3]; out 0") == "no operators of float[3]");
  for (const std::string odd : {"", "; ; ", "nonsense", "0", "0 ", "; 0 in "})
    CHECK(structure_in_short(odd).starts_with("no operators"));
}

TEST_CASE("What was measured is in the profile, and answers where there is no device") {
  Bench bench;
  auto first = bench.stored();
  REQUIRE(bench.ask(first).ok());
  CHECK(bench.calls == 1);
  // Other names, other weights.
  REQUIRE(write_program(program("y", 5, false), 17, bench.a).ok());
  auto second = bench.stored();
  REQUIRE(second.source().has_value());
  CHECK(second.source()->device == "a GPU");
  const auto answer = bench.ask(second, "no device");
  REQUIRE(answer.ok());
  CHECK(bench.calls == 1);
  CHECK(answer->decision == Decision::Undecided);
  CHECK(answer->ratio.high == HUGE_VAL);
  CHECK(answer->timing.b_ms == std::vector<double>{1.5, 1.25});
  CHECK(second.times_of(structure_text(program("x", 1, false))).size() == 2);
  CHECK(second.missing() == 0);
}

TEST_CASE("What is in no profile is an Error that counts it") {
  Bench bench;
  auto profile = bench.stored();
  for (int i = 1; i <= 2; ++i) {
    const auto answer = bench.ask(profile, "no device here");
    REQUIRE_FALSE(answer.ok());
    CHECK(answer.error().message.find("lacks " + std::to_string(i) + " of the ") !=
          std::string::npos);
    CHECK(answer.error().message.find("no device here") != std::string::npos);
  }
  CHECK(bench.calls == 0);
  CHECK_FALSE(fs::exists(bench.file));
}

TEST_CASE("What was measured twice answers with the first, then with fresh samples") {
  Bench bench;
  for (int i = 0; i < 2; ++i) {
    const auto measured = Live(bench.calls).compare(bench.a, bench.b, {});
    REQUIRE(bench.stored().append(
        {structure_text(program("x", 1, false)), structure_text(program("x", 1, true))}, "a rule",
        0, bench.here, *measured));
  }
  auto profile = bench.stored();
  CHECK(profile.lines().size() == 2);
  CHECK(profile.lines()[1].programs.candidate == structure_text(program("x", 1, true)));
  CHECK(profile.lines()[1].rule == "a rule");
  CHECK(profile.lines()[1].date.ends_with("Z"));
  CHECK(StoredProfile::begins_like_one(bench.text()));
  CHECK(StoredProfile::begins_like_one("{\"torn\n" + bench.text()));
  CHECK_FALSE(StoredProfile::begins_like_one("{\"format\":\"pet-journal/4\"}\n{\"e\":1}"));
  for (const double expected : {1.0, 2.0, 2.0})
    CHECK(bench.ask(profile, "no device")->ratio.median == expected);
}

TEST_CASE("Broken lines of a profile are left out and counted, another device is refused") {
  Bench bench;
  auto profile = bench.stored();
  REQUIRE(bench.ask(profile).ok());
  const std::string line = bench.text();
  for (const std::string broken : {"{\"original\":\"to", "[]", "7", "{}", ""})
    bench.add_line(broken);
  // A ratio outside of its own bounds, and a time of nothing.
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string out = line.substr(0, line.size() - 1);
    const auto at = out.find(from);
    REQUIRE(at != std::string::npos);
    return out.replace(at, from.size(), to);
  };
  bench.add_line(with("\"low\":0.5", "\"low\":3.5"));
  bench.add_line(with("\"a_ns\":[1000000", "\"a_ns\":[0"));
  const auto again = bench.stored();
  CHECK(again.lines().size() == 1);
  CHECK(again.skipped() == 7);
  CHECK(again.check_source(bench.here).ok());
  BackendInfo other = bench.here;
  other.name = "cuda tf32";
  CHECK(again.check_source(other).error().kind == ErrorKind::Usage);
  other = bench.here;
  other.device = "another GPU";
  CHECK(again.check_source(other).error().kind == ErrorKind::Usage);
  bench.add_line(with("\"device\":\"a GPU\"", "\"device\":\"another GPU\""));
  const auto mixed = StoredProfile::read(bench.file, false);
  REQUIRE_FALSE(mixed.ok());
  CHECK(mixed.error().kind == ErrorKind::Usage);
  CHECK_FALSE(StoredProfile::read(bench.folder.path() / "none", false).ok());
}
