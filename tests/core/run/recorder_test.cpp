#include "core/run/recorder.h"

#include <catch2/catch.hpp>
#include <numeric>

namespace pet {
namespace {

const move::Said kA{"A"}, kB{"B"};

// A, A corrected, and B of a later round that went on from A corrected.
const Lineage kFirst{MutantId(0), {}, 0, {kA}};
const Lineage kCorrected{MutantId(1), MutantId(0), 0, {kA, move::Correct{}}};
const Lineage kLater{MutantId(2), MutantId(1), 1, {kA, move::Correct{}, move::StartAgain{}, kB}};

const Region kWrong{{{{4}}}, {{{0}, {1}}}};

MutantVerified verified(const Lineage& mutant, Outcome outcome) {
  return {0, mutant.id, "", outcome, true, kWrong, 0.25, -30};
}

Comparison faster() { return {{{4, 4}, {2, 2}}, {2, 1.9, 2.1}, Decision::Faster, 1.5}; }

Recorder corrected() {
  Recorder out;
  for (const Lineage& mutant : {kFirst, kCorrected, kLater}) out.add(MutantShown{0, mutant});
  out.add(verified(kFirst, Outcome::Partial));
  out.add(MutantCorrected{0, kFirst.id, kCorrected.id, "", Outcome::Equivalent});
  return out;
}

TEST_CASE("A mutant that grew from a corrected one is a mutant of its own") {
  Recorder recorder = corrected();
  recorder.add(verified(kLater, Outcome::Different));
  REQUIRE(recorder.correction(0, kCorrected));
  CHECK(recorder.correction(0, kCorrected)->share == 0.25);
  const SubprogramRecord record = recorder.subprograms()[0];
  CHECK(record.corrected == 1U);
  CHECK(record.checked == 2);
}

TEST_CASE("A correction that turns out wrong everywhere it is looked at is none") {
  Recorder recorder = corrected();
  recorder.add(verified(kCorrected, Outcome::Partial));
  CHECK_FALSE(recorder.correction(0, kCorrected));
  CHECK(recorder.subprograms()[0].checked == 1);
}

TEST_CASE("Of two corrections of a mutant one may be wrong") {
  Recorder recorder = corrected();
  const Lineage other{MutantId(3), MutantId(0), 0, {kA, move::Correct{CorrectionWay::InBatch}}};
  recorder.add(MutantShown{0, other});
  recorder.add(MutantCorrected{0, kFirst.id, other.id, "", Outcome::Equivalent});
  recorder.add(verified(kCorrected, Outcome::Partial));
  CHECK_FALSE(recorder.correction(0, kCorrected));
  CHECK(recorder.correction(0, other));
  CHECK(recorder.subprograms()[0].corrected == 1U);
}

TEST_CASE("Where a mutant is used that grew from a corrected one, the correction is told") {
  const Recorder recorder = corrected();
  REQUIRE(recorder.correction(0, kLater));
  CHECK(recorder.correction(0, kLater)->wrong->boxes == kWrong.boxes);
  CHECK_FALSE(recorder.correction(0, kFirst));
}

TEST_CASE("A file in which mutants are each other's parents ends nobody's search for one") {
  Recorder recorder;
  const Lineage one{MutantId(1), MutantId(2), 0, {kA}};
  const Lineage two{MutantId(2), MutantId(1), 0, {kB}};
  recorder.add(MutantShown{0, one});
  recorder.add(MutantShown{0, two});
  CHECK_FALSE(recorder.correction(0, one));
  CHECK_FALSE(recorder.correction(0, two));
}

TEST_CASE("What was never checked is not known to be anything; what was is counted") {
  const auto shown = [](std::size_t id, std::vector<Move> moves) {
    return MutantShown{0, {MutantId(id), {}, 0, std::move(moves)}};
  };
  const auto found = [](std::size_t id, Outcome outcome) {
    return MutantVerified{0, MutantId(id), "", outcome, true, {}, 0.5, -30};
  };
  Recorder recorder;
  MutantsCounted counted;
  counted.proposed = 4;
  counted.generator.programs = 6;
  counted.generator.pruned[static_cast<std::size_t>(Pruned::SeenProgram)] = 3;
  counted.generator.pruned[static_cast<std::size_t>(Pruned::Fingerprint)] = 2;
  recorder.add(counted);
  SubprogramRecord of = recorder.subprograms()[0];
  CHECK(of.generated == 9);
  CHECK(of.distinct == 6);
  CHECK(of.not_checked == 4);
  CHECK_FALSE((of.equal || of.partial || of.corrected || of.best_ratio));
  CHECK(of.discarded[static_cast<std::size_t>(Discarded::FingerprintAllWrong)] == 2);
  CHECK(of.left == 4);
  for (const std::size_t id : {0U, 1U}) recorder.add(shown(id, {kA}));
  recorder.add(MutantShown{0, {MutantId(2), MutantId(1), 0, {kA, move::Correct{}}}});
  recorder.add(found(0, Outcome::Equivalent));
  recorder.add(found(1, Outcome::Partial));
  recorder.add(MutantCorrected{0, MutantId(1), MutantId(2), "", Outcome::Equivalent});
  of = recorder.subprograms()[0];
  CHECK(of.equal == 1U);
  CHECK(of.partial == 1U);
  CHECK(of.corrected == 1U);
  CHECK(of.not_checked == 2);
  CHECK(of.left == 2);
  for (const std::size_t id : {3U, 4U}) {
    recorder.add(shown(id, {kB}));
    recorder.add(found(id, Outcome::Different));
  }
  recorder.add(CandidateMeasured{0, MutantId(2), "", {}, faster()});
  of = recorder.subprograms()[0];
  CHECK(of.not_checked == 0);
  CHECK(of.equal == 1U);
  CHECK(of.best_ratio == 2.0);
  CHECK(of.left == 0);
  CHECK(std::accumulate(of.discarded.begin(), of.discarded.end(), std::size_t{0}) == 2);
}

}  // namespace
}  // namespace pet
