#include "core/search/mutant_maker.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "tests/support/weights.h"
#include "verify/pairs/search_checker.h"

namespace pet {
namespace {

Graph convolution() {
  Rng rng(3);
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({2, 4, 8, 8}));
  const NodeId weight = test::normal_weight(b, {4, 4, 3, 3}, rng);
  b.add_output(
      *b.add(ops::conv(), {{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}}, {x, weight}));
  return std::move(b).build();
}

SearchConfig small() {
  SearchConfig config;
  config.generator.moves = 1;
  config.generator.max_steps = 40;
  config.later_steps = 8;
  return config;
}

// All of a round, as a search takes them.
std::vector<Proposal> all_of(MutantStream& stream) {
  std::vector<Proposal> out;
  while (stream.has_mutant() || stream.step()) {
    if (!stream.has_mutant()) continue;
    if (auto one = stream.take()) out.push_back(*std::move(one));
  }
  return out;
}

TEST_CASE("Of mutants of a later round that came about by the same moves the right one is made") {
  const Graph original = convolution();
  const SearchConfig config = small();
  SearchChecker checker;
  const MutantMaker maker(original, config, checker, {});
  MutantStream all(original, config.generator, config.later_steps, {});
  std::size_t alike = 0;
  for (const Proposal& first : all_of(all)) {
    MutantStream stream(original, config.generator, config.later_steps, {});
    stream.leave_tree();
    Candidate kept;
    kept.program = first.program;
    kept.lineage = first.lineage;
    stream.next_round({kept}, config.split);
    const auto second = all_of(stream);
    for (auto wanted = second.begin(); wanted != second.end(); ++wanted) {
      const auto which = std::count_if(second.begin(), wanted, [&](const Proposal& before) {
        return before.lineage.moves == wanted->lineage.moves;
      });
      if (which == 0) continue;
      ++alike;
      INFO(in_words(wanted->lineage.moves) << ", number " << which);
      const auto made = maker.make(std::vector<Wanted>{
          {first.lineage}, {wanted->lineage, {}, static_cast<std::size_t>(which)}});
      REQUIRE(made.ok());
      CHECK(made->program.digest().hex() == wanted->program.digest().hex());
    }
    if (alike > 20) break;
  }
  CHECK(alike > 0);
}

}  // namespace
}  // namespace pet
