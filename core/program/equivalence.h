// The question "where are these two programs equal?", its answer, and the port through which core
// asks it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/box.h"
#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet {

enum class Outcome {
  Equivalent,
  // Equal but for folded constants that are not rounded as their weights demand.
  EquivalentUpToConstants,
  Partial,
  Different,
  ShapeMismatch,
  Unknown,
  Unsupported
};
std::string_view to_string(Outcome outcome);

// Whether it says of any position that it is equal.
constexpr bool claims_equality(Outcome outcome) {
  return outcome == Outcome::Equivalent || outcome == Outcome::EquivalentUpToConstants ||
         outcome == Outcome::Partial;
}

// Inputs at which the two programs were run with their real operators and stored weights, and one
// position at which their results differ there.
struct Witness {
  std::uint64_t seed = 0;  // of every input: witness_input() of verify/verdict/replay.h
  std::vector<std::pair<std::string, TensorType>> inputs;  // of known shapes
  Shape position;
  double original = 0;
  double mutant = 0;
  double rounding = 0;  // what one rounding of a float makes of the largest terms there
};

// The three sets are disjoint; together with the equal positions they are the whole output.
struct OutputVerdict {
  std::string name;
  Outcome outcome = Outcome::Unknown;
  Dim elements = 0;
  Dim equal = 0;
  Dim different = 0;
  Dim undecided = 0;
  Region wrong;                                   // everything that is not equal, as boxes
  std::optional<std::pair<Shape, Shape>> shapes;  // of both programs, where that is the mismatch
  // Row-major, 1 where it is equal; where ProofOptions::in_detail asks for it, and some are not.
  std::vector<char> equal_at;
  std::string reason;  // of unknown, in words
  std::optional<Witness> witness;
};

// What one of the engines that were asked said by itself.
struct EngineAnswer {
  std::string engine;
  Outcome outcome = Outcome::Unknown;
  std::string reason;
  double log2_error = 0;  // as Verdict::log2_error
};

// What an engine that computes modulo primes did, so that somebody else can do it again: format and
// rules are those of verify/certificate_checker/README.md.
struct TestRecord {
  Digest seed;
  std::vector<std::uint32_t> primes;
  double degree = 0;  // what the bound follows from
  double length_blocks = 0;
  double elements = 0;
  double log2_error = 0;
  struct Ends {
    std::vector<std::uint32_t> first;  // residues of the first element, by prime
    std::vector<std::uint32_t> last;
  };
  // By output; nothing where it has no elements, or depends on an operator without a meaning.
  std::vector<std::optional<Ends>> ends;
};

// A piece in which two programs differ, between values that are equal in both.
struct PlaceReport {
  std::string original;  // the values that it yields, as the programs call them
  std::string mutant;
  std::vector<std::string> operators;    // that the original computes it by
  std::vector<std::string> replaced_by;  // that the mutant computes it by
  std::vector<std::string> between;      // the values that it begins at, as the original calls them
  std::string shown_by;                  // an engine's name; empty: nothing showed it
  // Where nothing showed it: what was found of the piece alone, whatever its first values are.
  Outcome outcome = Outcome::Equivalent;
  std::optional<Witness> witness;
};

// A value of the mutant that is one of the original's, and what that was shown from: somebody else
// can look at it again, knowing of both no more than the values' names.
struct ShownPair {
  std::string original;
  std::string mutant;
  std::vector<std::int64_t> order;  // of the original's axes; empty: they stand alike
  std::vector<std::string> from;    // values of the original that were shown before
};

// Two programs, piece by piece.
struct PlacesReport {
  std::size_t shared = 0;  // operators that are the same in both, on equal values
  std::vector<PlaceReport> places;
  // Why the whole of both was looked at as well; empty: nobody had to.
  std::string whole;
  // Where a proof by places is recorded (ProofOptions::record_test): all that does not follow by
  // the same operators on the same values, in the mutant's order.
  std::optional<std::vector<ShownPair>> pairs;
};

// A question that was asked on the way to a verdict, and how long that took in all.
struct AskedQuestion {
  std::string what;
  double seconds = 0;
};

struct Verdict {
  Outcome outcome = Outcome::Unknown;
  std::string reason;  // where it is unknown, a mismatch or unsupported
  std::vector<OutputVerdict> outputs;
  double log2_error =
      0;  // of a wrong "equal" anywhere above; -infinity where the programs are identical
  std::size_t primes = 0;
  double growth = 1;  // how much larger the mutant's summed terms are than the original's, at worst
  std::optional<TestRecord> test;  // where ProofOptions::record_test asks for it
  std::string proof_seed;
  bool reproduced = false;             // the seed was given: no fresh entropy
  std::vector<EngineAnswer> engines;   // who was asked
  std::optional<PlacesReport> places;  // where the programs were walked side by side
  std::vector<AskedQuestion> asked;    // in order, each once
  // Whether the mutant may be undefined where the original is not: "equal" would be no promise,
  // whoever else finds it.
  bool leaves_domain = false;
  bool engines_disagree = false;  // a defect of ours: nothing in this verdict may be relied on
};

// Which pairs are walked place by place (verify/places) before anybody looks at the whole of them.
enum class ByPlaces {
  None,
  Large,  // those of which a look at the whole takes seconds or minutes
  All
};

// What is asked of floats, once two programs are equal over the reals. Each has what stands before
// it, and takes longer.
enum class Floats {
  None,   // equal over the reals is enough: for whoever asks again before anything is claimed
  Sizes,  // no sum has terms far larger than the original's, as far as sizes tell it
  Drawn   // nor does it err by far more where both are run with errors that are drawn
};

struct ProofOptions {
  Floats floats = Floats::Drawn;
  ByPlaces by_places = ByPlaces::Large;  // of files
  double log2_error = -64;
  std::optional<std::string> proof_seed;
  bool seed_is_fresh = false;  // drawn for this very question: nothing is reproduced
  bool bind_weights = false;   // stored weights instead of symbols
  // Of constants that somebody computed in advance: how far off is still rounding, in units in the
  // last place of what is added up there.
  double max_ulp = 4;
  // For somebody who reads it: OutputVerdict::equal_at, and witnesses of small integers.
  bool in_detail = false;
  // All that is asked is whether they are equal everywhere: at the first inputs that tell the two
  // apart an engine may end, "different", and leave undecided what these do not show.
  bool first_difference = false;
  // Of several engines each goes as far as its limits. Otherwise, once one has said what is enough
  // (a witness and everything else decided, or "equal" over the reals), the others, who are
  // asked to contradict it, look for a moment only: `is_answered`, which whoever asks them sets.
  bool exhaustive = false;
  bool is_answered = false;
  bool record_test = false;  // for a certificate
  // Text that stands in the certificate and in no file, with record_test: the test is bound to it.
  std::shared_ptr<const std::string> certified_text;
  std::size_t threads = 1;
  std::size_t memory_bytes = std::size_t{1}
                             << 30;  // kept residues; beyond, values are computed again when needed
  std::stop_token stop;
  // Which question is being asked, and how much of it is done, where that is known.
  using Progress = std::function<void(std::string_view what, double fraction)>;
  Progress progress = [](std::string_view, double) {};
  // Of a question that was asked and answered.
  std::function<void(std::string_view what, double seconds)> asked = [](std::string_view, double) {
  };
};

// Tells how long a question takes: from here to the end of the block.
class Asking {
 public:
  // REQUIRES: both outlive this
  Asking(const ProofOptions& options, std::string_view what) : options_(options), what_(what) {
    is_at(0);
  }
  ~Asking() {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin_;
    options_.asked(what_, took.count());
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  void is_at(double fraction) const { options_.progress(what_, fraction); }

 private:
  const ProofOptions& options_;
  std::string_view what_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

class EquivalenceChecker {
 public:
  virtual ~EquivalenceChecker() = default;
  virtual std::string_view name() const = 0;
  // Inputs are matched by name, outputs by position. "Equal" holds over the reals, and of floats as
  // far as options.floats asks. Polls options.stop.
  virtual Verdict check(const Graph& original, const Graph& mutant,
                        const ProofOptions& options) = 0;
  // Without evaluating anything: the positions of the only output at which equality over the reals
  // was not shown. The same answer each time; an Error where that is more work than looking.
  virtual Result<Region> not_shown_equal(const Graph&, const Graph&, const std::stop_token&) {
    return Error{"not known without evaluating", ErrorKind::Unsupported};
  }
};

}  // namespace pet
