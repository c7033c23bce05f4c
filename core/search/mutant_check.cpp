#include "core/search/mutant_check.h"

#include <fmt/format.h>

#include "core/program/thin_check.h"

namespace pet {

double Checked::wrong_share() const {
  const Dim all = wrong ? count(wrong->basis.flat()) : 0;
  if (all == 0) return outcome == Outcome::Equivalent ? 0 : 1;
  return static_cast<double>(wrong->volume()) / static_cast<double>(all);
}

// Nothing where the region engine does not know.
std::optional<Checked> MutantCheck::by_regions(const Graph& original, const Graph& mutant) const {
  if (original.outputs().size() != 1) return std::nullopt;
  auto wrong = checker_.not_shown_equal(original, mutant, stop_);
  if (!wrong) return std::nullopt;
  // Shown equal nowhere: that is not known to be different.
  if (!wrong->empty() && wrong->volume() == count(wrong->basis.flat())) return std::nullopt;
  Checked out;
  out.by = Checked::By::Regions;
  out.outcome = wrong->empty() ? Outcome::Equivalent : Outcome::Partial;
  out.wrong = *std::move(wrong);
  return out;
}

// Nothing where that is no cheaper than looking everywhere. A corrected mutant is looked at in
// other channels than the mutant itself.
std::optional<Checked> MutantCheck::by_sample(const Graph& original, const Graph& mutant) const {
  auto wrong = thin_difference(original, mutant, mutant.digest().word() ^ config_.seed, stop_);
  Checked out;
  out.by = Checked::By::Sample;
  if (!wrong && wrong.error().kind == ErrorKind::Stopped) return out;
  if (!wrong) return std::nullopt;
  // Wrong in every channel that was drawn may be right in others.
  if (!wrong->empty() && wrong->volume() == count(wrong->basis.flat())) return std::nullopt;
  out.outcome = wrong->empty() ? Outcome::Equivalent : Outcome::Partial;
  out.wrong = *std::move(wrong);
  return out;
}

Checked MutantCheck::thinly(const Graph& original, const Graph& mutant) const {
  if (auto found = by_regions(original, mutant)) return *std::move(found);
  if (auto found = by_sample(original, mutant)) return *std::move(found);
  return everywhere(original, mutant);
}

Checked MutantCheck::in_part(const Graph& original, const Graph& mutant) const {
  Checked thin = thinly(original, mutant);
  const bool contradicts = thin.by != Checked::By::Bitmap && thin.outcome == Outcome::Equivalent;
  return contradicts ? everywhere(original, mutant) : thin;
}

Checked MutantCheck::everywhere(const Graph& original, const Graph& mutant, Floats floats) const {
  ProofOptions options;
  options.floats = floats;
  options.log2_error = config_.log2_error;
  options.threads = config_.threads;
  options.stop = stop_;
  // Not drawn afresh, so that the same search finds the same; the proof of the written file is.
  options.proof_seed = fmt::format("search {} {}", config_.seed, mutant.digest().hex());
  const Verdict verdict = checker_.check(original, mutant, options);
  Checked out;
  out.outcome = verdict.outcome;
  out.log2_error = verdict.log2_error;
  out.reason = verdict.reason;
  if (verdict.outputs.size() == 1) out.wrong = verdict.outputs[0].wrong;
  return out;
}

}  // namespace pet
