#include "tests/layering/layering.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/scratch_folder.h"

namespace pet {
namespace {

namespace fs = std::filesystem;

// A made-up tree, gone at the end of the test.
class Tree {
 public:
  void write(const std::string& file, const std::string& text) {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }
  const fs::path& root() const { return folder_.path(); }

 private:
  pet::testing::ScratchFolder folder_;
};

TEST_CASE("The repository keeps its layers") {
  CHECK(layering_violations(PET_SOURCE_DIR) == std::vector<std::string>{});
}

TEST_CASE("The list of operators is complete") {
  CHECK(operator_list_violations(PET_SOURCE_DIR) == std::vector<std::string>{});
}

TEST_CASE("Includes that go down or to a system header are fine") {
  Tree tree;
  tree.write("core/search/a.h",
             "#include <vector>\n#include \"core/util/x.h\"\n#include \"core/search/b.h\"\n");
  tree.write("verify/files/a.cpp", "#include \"core/search/a.h\"\n#include \"verify/files/b.h\"\n");
  tree.write("app/pet/main.cpp",
             "#include \"verify/files/a.h\"\n#include \"viz/a.h\"\n#include \"core/ir/a.h\"\n");
  CHECK(layering_violations(tree.root()).empty());
}

TEST_CASE("Every forbidden direction is named with file and line") {
  const auto [file, include, why] = GENERATE(table<std::string, std::string, std::string>({
      {"core/util/a.h", "app/x.h", "core may not include app"},
      {"core/util/a.h", "verify/x.h", "core may not include verify"},
      {"core/search/a.cpp", "viz/x.h", "core may not include viz"},
      {"core/backend/a.cpp", "gpu/x.h", "core may not include gpu"},
      {"core/util/a.h", "core/ir/x.h", "core/util may not include core/ir"},
      {"core/program/a.cpp", "core/backend/x.h", "core/program may not include core/backend"},
      {"core/program/a.cpp", "core/onnx/x.h", "core/program may not include core/onnx"},
      {"core/cost/a.cpp", "core/onnx/x.h", "core/cost may not include core/onnx"},
      {"core/ops/a.cpp", "core/eval/x.h", "core/ops may not include core/eval"},
      {"core/onnx/a.cpp", "core/cost/x.h", "core/onnx may not include core/cost"},
      {"core/new/a.cpp", "core/util/x.h", "no place in the order"},
      {"core/util/a.cpp", "tests/x.h", "core may not include tests"},
      {"viz/geometry/a.cpp", "QWidget", "Qt stands in viz/models"},
      {"viz/session/a.h", "QtGlobal", "Qt stands in viz/models"},
      {"app/pet/a.cpp", "QString", "Qt stands in viz/models"},
      {"viz/geometry/a.cpp", "viz/views/x.h", "viz/geometry may not include viz/views"},
      {"viz/views/a.cpp", "verify/x.h", "viz may not include verify"},
      {"core/util/a.cpp", "../../app/x.h", "without .."},
      {"verify/a.cpp", "app/x.h", "verify may not include app"},
      {"verify/a.cpp", "viz/x.h", "verify may not include viz"},
      {"verify/bitmap/a.cpp", "verify/rounding/x.h",
       "verify/bitmap may not include verify/rounding"},
      {"verify/smt/a.cpp", "verify/exact/x.h", "verify/smt may not include verify/exact"},
      {"verify/theorem/a.cpp", "verify/region/x.h", "verify/theorem may not include verify/region"},
      {"verify/region/a.cpp", "verify/theorem/x.h", "verify/region may not include verify/theorem"},
      {"verify/smt/a.h", "verify/pairs/x.h",
       "verify/smt may not include verify/pairs (verify/pairs/x.h)"},
      {"verify/files/a.cpp", "verify/rules/x.h", "verify/files may not include verify/rules"},
      {"verify/new/a.cpp", "verify/values/x.h", "no place in the order of verify's folders"},
      {"verify/smt/a.cpp", "verify/new/x.h", "no place in the order of verify's folders"},
      {"viz/a.cpp", "verify/x.h", "viz may not include verify"},
      {"gpu/a.cu", "viz/x.h", "gpu may not include viz"},
      {"gpu/lower/a.cpp", "verify/x.h", "gpu may not include verify"},
      {"gpu/kernel/a.cpp", "gpu/launch/x.h", "gpu/kernel may not include gpu/launch"},
  }));
  Tree tree;
  tree.write(file, "#pragma once\n  # include \"" + include + "\"\n");
  const auto violations = layering_violations(tree.root());
  REQUIRE(violations.size() == 1);
  CHECK_THAT(violations[0], Catch::StartsWith(file + ":2: ") && Catch::Contains(why));
}

TEST_CASE("An operator without a line and a line without an operator are found") {
  Tree tree;
  tree.write("core/ops/all_ops.def", "// the list\nOP(conv)\nOP(ghost)\n");
  tree.write("core/ops/conv.cpp", "namespace pet::ops {\nconst OpDef& conv() {\n}\n}\n");
  tree.write("core/ops/relu.cpp", "namespace pet::ops {\nconst OpDef& relu() {\n}\n}\n");
  CHECK(operator_list_violations(tree.root()) ==
        std::vector<std::string>{
            "core/ops/relu.cpp: operator relu has no line in core/ops/all_ops.def",
            "core/ops/all_ops.def: ghost has no definition in core/ops/*.cpp"});
}

}  // namespace
}  // namespace pet
