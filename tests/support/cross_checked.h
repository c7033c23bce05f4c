// A pair checked in all three ways, one question after the other.
#pragma once

#include "core/program/cross_check.h"
#include "core/util/check.h"

namespace pet::test {

inline CrossCheck cross_checked(CrossChecker& checker, const Graph& original, const Graph& mutant,
                                std::span<const Move> moves = {}, double seconds = 20) {
  CrossCheck out;
  while (const auto question = next_question(out)) {
    if (!question->engine) {
      out.twin = checker.small_twin(original, mutant, moves, {});
      continue;
    }
    const bool twin = question->on_twin;
    auto answer = checker.ask(*question->engine, twin ? *(*out.twin)->original : original,
                              twin ? *(*out.twin)->mutant : mutant, seconds, {});
    PET_CHECK(answer.ok(), "nobody stops it");
    (twin ? out.on_twin : out.at_size)[static_cast<std::size_t>(*question->engine)] =
        *std::move(answer);
  }
  return out;
}

}  // namespace pet::test
