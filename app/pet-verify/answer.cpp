#include "app/pet-verify/answer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <future>

#include "app/common/command_line.h"
#include "app/common/files.h"
#include "app/common/shape_flags.h"
#include "app/pet-verify/bundle.h"
#include "app/pet-verify/question_digest.h"
#include "core/onnx/export.h"
#include "core/onnx/inventory.h"
#include "core/onnx/read_again.h"
#include "core/util/atomic_file.h"
#include "core/util/deadline.h"
#include "core/util/printable.h"
#include "verify/all_sizes/open_batch.h"
#include "verify/all_sizes/open_sizes.h"
#include "verify/files/certificate.h"
#include "verify/verdict/verdict_report.h"

namespace pet::app {
namespace {

int code_of(const FileVerdict& verdict) {
  switch (verdict.outcome) {
    case Outcome::Equivalent:
      return kDone;
    case Outcome::EquivalentUpToConstants:
    case Outcome::Partial:
    case Outcome::Different:
    case Outcome::ShapeMismatch:
      return kNotEqual;
    case Outcome::Unknown:
      return kFailed;
    case Outcome::Unsupported:
      return kBadInput;
  }
  return kFailed;
}

// Reads what is to be compared and asks the engines, unless the cache knows what they said.
class Asking {
 public:
  Asking(const Question& question, const Options& options, const FileProofOptions& proof,
         std::span<Engine* const> engines, VerdictCache* cache, Answer& answer)
      : question_(question),
        options_(options),
        proof_(proof),
        engines_(engines),
        cache_(cache),
        answer_(answer) {}

  // Also fills in the certificate, and where the verdict is from.
  Result<CaseOutcome> run() {
    if (question_.files.size() == 2) return of_files();
    return of_case();
  }

 private:
  Result<CaseOutcome> of_case() {
    const auto judge = [this](const CaseFile& programs, bool is_expected) {
      if (is_expected) proof_.proof.first_difference = false;
      const std::array<const Model*, 2> models = {&programs.original, &programs.mutant};
      if (auto known = check_shapes(question_.reading, models); !known)
        return CaseOutcome{.verdict = {}, .error = known.error()};
      return known_or(programs.original, programs.mutant, [&] {
        CaseOutcome out = check_programs(programs, engines_, proof_);
        if (out.verdict) {
          ask_for_other_sizes(*out.verdict, programs.original, programs.mutant,
                              [this](const ReadOptions& sizes) -> Programs {
                                auto again = parse_case(text_, question_.files[0].string(), sizes);
                                if (!again) return std::move(again).error();
                                return std::pair(std::move(again->original),
                                                 std::move(again->mutant));
                              });
        }
        if (!options_.certificate.empty() && out.deviation.empty() && is_certified(*out.verdict))
          answer_.certificate = certificate_of_case(programs);
        return out;
      });
    };
    const auto text = read_case_text(question_.files[0]);
    if (!text) return text.error();
    answer_.contents = {digest_of_case(*text)};
    text_ = *text;
    remove_old_outputs();
    return check_case(*text, question_.files[0].string(), judge, question_.reading);
  }

  Result<CaseOutcome> of_files() {
    const auto read = [&](std::size_t i) {
      return read_model(question_.files[i], question_.reading);
    };
    const bool are_read_at_once = proof_.proof.threads > 1;
    auto other = std::async(are_read_at_once ? std::launch::async : std::launch::deferred, read, 1);
    const auto original = read(0);
    const auto mutant = other.get();
    if (!original) return original.error();
    if (!mutant) return mutant.error();
    answer_.contents = {original->digest, mutant->digest};
    const std::array<const Model*, 2> models = {&*original, &*mutant};
    if (auto safe = keep_external_files(models); !safe) return std::move(safe).error();
    remove_old_outputs();
    if (auto known = check_shapes(question_.reading, models); !known)
      return std::move(known).error();
    for (const Model* model : models) warn_of_stale("pet-verify", *model);
    return known_or(*original, *mutant, [&] {
      CaseOutcome out{.verdict = prove_files(*original, *mutant, engines_, proof_)};
      ask_for_other_sizes(*out.verdict, *original, *mutant,
                          [&](const ReadOptions& sizes) -> Programs {
                            auto a = read_again(*original, sizes);
                            if (!a) return std::move(a).error();
                            auto b = read_again(*mutant, sizes);
                            if (!b) return std::move(b).error();
                            return std::pair(*std::move(a), *std::move(b));
                          });
      if (is_certified(*out.verdict))
        answer_.certificate = certified(*original, *mutant, *out.verdict);
      return out;
    });
  }

  // No output takes the place of weights that a model keeps in a file of their own.
  Status keep_external_files(std::span<const Model* const> models) const {
    for (const Model* model : models) {
      if (auto kept = keep(external_files(*model), outputs_of_pair(options_)); !kept) return kept;
    }
    return Done{};
  }

  // What an earlier run left there may speak of other programs.
  void remove_old_outputs() const {
    for (const auto& output : outputs_of_pair(options_)) {
      std::error_code nothing_to_remove;
      if (std::filesystem::is_regular_file(output, nothing_to_remove))
        std::filesystem::remove(behind_links(output), nothing_to_remove);
    }
  }

  bool is_certified(const FileVerdict& verdict) const {
    return proof_.proof.record_test && verdict.outcome == Outcome::Equivalent;
  }

  Result<std::string> certified(const Model& original, const Model& mutant,
                                const FileVerdict& verdict) const {
    return certificate_of(
        original, mutant, verdict, proof_,
        {{"tool", "pet-verify " PET_VERSION}, {"proof_seed", verdict.proof_seed}});
  }

  // Its checker reads no text: the programs are written as files, and proved as they stand there.
  Result<std::string> certificate_of_case(const CaseFile& programs) const {
    const auto [a, b] = certified_programs(options_);
    if (auto done = write_model(programs.original, a); !done) return std::move(done).error();
    if (auto done = write_model(programs.mutant, b); !done) return std::move(done).error();
    const auto original = read_model(a, question_.reading);
    if (!original) return original.error();
    const auto mutant = read_model(b, question_.reading);
    if (!mutant) return mutant.error();
    return certified(*original, *mutant, prove_files(*original, *mutant, engines_, proof_));
  }

  using Programs = Result<std::pair<Model, Model>>;

  // Equal at some sizes is not enough where all were asked for. `read`: the two at other sizes.
  void ask_for_other_sizes(FileVerdict& verdict, const Model& original, const Model& mutant,
                           const std::function<Programs(const ReadOptions&)>& read) const {
    const bool is_asked = options_.all_sizes || options_.all_batches;
    if (!is_asked || verdict.all_sizes || verdict.outcome != Outcome::Equivalent) return;
    const auto at = [&](const std::map<std::string, Dim>& some) -> Programs {
      auto sizes = verdict.proved_at;
      for (const auto& [name, size] : some) sizes[name] = size;
      return read({.dimensions = sizes});
    };
    const auto batch = batch_dimensions(original);
    // Several are of one size there, and at all sizes of their own.
    const bool is_all = batch.size() == 1 && verdict.proved_at.size() == 1;
    Status proved = Done{};
    if (options_.all_sizes) proved = for_all_sizes(verdict, at);
    if (options_.all_batches || (!proved && is_all)) {
      auto copies = for_all_batches(batch, batch_dimensions(mutant), at);
      if (copies || options_.all_batches) proved = std::move(copies);
    }
    verdict.all_sizes = proved.ok() && (options_.all_sizes || is_all);
    if (proved && !verdict.all_sizes) verdict.for_every = batch;
    if (proved) return;
    withhold(verdict, "equal at these sizes, but not proved at all: " + proved.error().message);
    verdict.outcome = Outcome::Unknown;
  }

  Status for_all_sizes(const FileVerdict& verdict, const all_sizes::ReadAt& at) const {
    std::vector<std::string> names;
    for (const auto& [name, size] : verdict.proved_at) names.push_back(name);
    return all_sizes::prove_for_open_sizes(
        names, at,
        proof_.proof.bind_weights ? all_sizes::Constants::Numbers : all_sizes::Constants::Symbols,
        proof_.proof.stop);
  }

  Status for_all_batches(const std::vector<std::string>& batch,
                         const std::vector<std::string>& in_mutant,
                         const all_sizes::ReadAt& at) const {
    if (batch != in_mutant) return Error{"the batch has other names in the second file"};
    return all_sizes::prove_for_all_batches(batch, at, engines_, proof_);
  }

  CaseOutcome known_or(const Model& original, const Model& mutant,
                       const std::function<CaseOutcome()>& prove) {
    if (cache_ == nullptr) return prove();
    const Digest key = cache_key(original.digest, mutant.digest, question_, options_);
    if (auto known = cache_->find(key)) {
      answer_.remembered_seed = known->seed;
      return {.verdict = std::move(known->verdict)};
    }
    CaseOutcome out = prove();
    if (out.deviation.empty()) cache_->put(key, {*out.verdict, options_.seed});
    return out;
  }

  const Question& question_;
  const Options& options_;
  FileProofOptions proof_;
  std::span<Engine* const> engines_;
  VerdictCache* cache_;
  Answer& answer_;
  std::string text_;  // of a case
};

Result<CaseOutcome> within_memory(const std::function<Result<CaseOutcome>()>& ask) {
  try {
    return ask();
  } catch (const std::bad_alloc&) {
    return Error{"out of memory", ErrorKind::Tool};
  }
}

// What a manifest expects stands above what the case says itself.
void compare(const Expectation& expected, bool is_missing, Answer& answer) {
  if (!answer.deviation.empty() && !answer.has_expectation) return;  // not even equal to itself
  answer.has_expectation = true;
  if (answer.verdict) {
    answer.deviation = deviation(expected, *answer.verdict);
  } else if (is_missing) {
    answer.deviation = answer.error->message;  // nobody expects a file that cannot be read
  } else {
    answer.deviation = deviation(expected, *answer.error);
  }
}

}  // namespace

int Answer::exit_code() const {
  if (verdict && verdict->engines_disagree) return kDisagreement;
  if (verdict && !is_evidence) return kFailed;
  if (has_expectation && deviation.empty()) return kDone;
  if (!verdict) return app::code_of(error->kind);
  // Whether it would be as expected was not found out.
  if (verdict->outcome == Outcome::Unknown) return kFailed;
  return has_expectation ? kNotEqual : code_of(*verdict);
}

int worst(int a, int b) {
  constexpr std::array kOrder = {kDisagreement, kNotEqual, kBadInput, kUsage,
                                 kFailed,       kStopped,  kDone};
  const auto rank = [&](int code) { return std::find(kOrder.begin(), kOrder.end(), code); };
  return rank(a) <= rank(b) ? a : b;
}

Answer answer(const Question& question, const Options& options, std::span<Engine* const> engines,
              const std::stop_token& stop, const ProofOptions::Progress& progress,
              VerdictCache* cache) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<Deadline> deadline;
  if (options.timeout_seconds) deadline.emplace(*options.timeout_seconds, stop);
  FileProofOptions proof = options.proof;
  proof.outputs = question.outputs;
  // Whether it is as expected may depend on every position.
  if (question.expected) proof.proof.first_difference = false;
  proof.proof.stop = deadline ? deadline->token() : stop;
  proof.proof.progress = progress;
  std::vector<Recorder> recorders(engines.begin(), engines.end());
  std::vector<Engine*> recorded;
  for (Recorder& recorder : recorders) recorded.push_back(&recorder);
  Answer out;
  auto outcome =
      within_memory([&] { return Asking(question, options, proof, recorded, cache, out).run(); });
  if (outcome) {
    out.verdict = std::move(outcome->verdict);
    out.has_expectation = outcome->has_expectation;
    out.deviation = std::move(outcome->deviation);
    out.error = std::move(outcome->error);
  } else {
    out.error = outcome.error();
  }
  if (question.expected) {
    const bool is_missing =
        std::any_of(question.files.begin(), question.files.end(), [](const auto& file) {
          std::error_code failure;
          return !std::filesystem::is_regular_file(file, failure) ||
                 ::access(file.c_str(), R_OK) != 0;
        });
    compare(*question.expected, is_missing, out);
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!out.verdict) return out;
  out.is_evidence = !options.as_published;
  if (!out.is_evidence) {
    out.has_expectation = false;
    out.deviation.clear();
  }
  if (deadline && deadline->is_over() && out.verdict->outcome == Outcome::Unknown) {
    out.is_out_of_time = true;
    out.verdict->reason = fmt::format("no answer within {} s", *options.timeout_seconds);
    // Who expects that nothing can be known is not told so by a clock.
    if (out.has_expectation && out.deviation.empty()) out.deviation = out.verdict->reason;
  }
  if (out.verdict->engines_disagree)
    out.kept = write_bundle(question, options, out.verdict->reason, recorders);
  return out;
}

}  // namespace pet::app
