#include "core/search/mutant_maker.h"

#include <fmt/format.h>

#include "core/program/correct/corrections.h"
#include "core/util/printable.h"

namespace pet {
namespace {

bool has_its_digest(const Graph& program, const Wanted& wanted) {
  return wanted.digest.empty() || program.digest().hex() == wanted.digest;
}

}  // namespace

Result<Proposal> MutantMaker::make(std::span<const Wanted> line) const {
  std::optional<Proposal> made;
  for (const Wanted& wanted : line) {
    auto next = made_from(made, wanted);
    if (!next) return next;
    made = *std::move(next);
  }
  return *std::move(made);
}

Result<Proposal> MutantMaker::made_from(const std::optional<Proposal>& parent,
                                        const Wanted& wanted) const {
  if (parent && is_correction(wanted.lineage)) return corrected(*parent, wanted);
  MutantStream stream(subprogram_, config_.generator, config_.later_steps, {});
  if (parent) {
    Candidate candidate;
    candidate.program = parent->program;
    candidate.lineage = parent->lineage;
    stream.leave_tree();
    stream.next_round({std::move(candidate)}, config_.split);
  }
  return found(stream, wanted);
}

Result<Proposal> MutantMaker::found(MutantStream& stream, const Wanted& wanted) const {
  std::size_t before = 0;
  while (!stop_.stop_requested()) {
    if (!stream.has_mutant()) {
      if (!stream.step()) break;
      continue;
    }
    auto mutant = stream.take();
    if (!mutant || mutant->lineage.moves != wanted.lineage.moves) continue;
    const bool is_it =
        wanted.digest.empty() ? before++ == wanted.which : has_its_digest(mutant->program, wanted);
    if (is_it) return Proposal{std::move(mutant->program), wanted.lineage};
  }
  if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  return Error{
      fmt::format("\"{}\" is not generated any more", printable(in_words(wanted.lineage.moves)))};
}

Result<Proposal> MutantMaker::corrected(const Proposal& mutant, const Wanted& wanted) const {
  const auto& way = std::get<move::Correct>(wanted.lineage.moves.back());
  const Checked checked = check_.in_part(subprogram_, mutant.program);
  if (checked.outcome == Outcome::Partial && checked.wrong) {
    for (Correction& made : corrections(subprogram_, mutant.program, *checked.wrong)) {
      if (made.way == way.way && made.program && has_its_digest(*made.program, wanted))
        return Proposal{*std::move(made.program), wanted.lineage};
    }
  }
  if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  return Error{fmt::format("\"{}\" is not corrected so any more",
                           printable(in_words(wanted.lineage.moves)))};
}

}  // namespace pet
