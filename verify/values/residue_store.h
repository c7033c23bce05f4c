// The residues of values, computed when they are asked for and kept while there is room.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "core/eval/evaluate.h"
#include "core/program/equivalence.h"
#include "verify/values/pair_code.h"
#include "verify/values/value_table.h"

namespace pet {

class ResidueStore {
 public:
  using Residues = std::shared_ptr<const ResidueTensor>;

  // REQUIRES: table, code and evaluator outlive this
  ResidueStore(const ValueTable& table, const PairCode& code, const ResidueEvaluator& evaluator,
               const Digest& secret, std::size_t memory_bytes, std::stop_token stop);

  const PairCode& code() const { return code_; }

  // Stopped, out of luck with a prime, or too large for the memory: an Error.
  Result<Residues> residues(ValueId id);

  // Of each function that the value applies, by element, what tells its results apart from all
  // others. REQUIRES: an operator with a meaning computes it
  Result<std::vector<std::vector<Hash128>>> argument_digests(ValueId id);

  // A digest of type, shape and all residues (of an opaque value of unknown shape: of what computes
  // it and of its operands). Equal digests: equal values up to the error bound.
  Result<Digest> digest(ValueId id);

  // Whether nothing will be computed twice for want of room.
  bool has_room_for_all() const;

  // Makes room for something else; what is asked for again is computed again.
  void release_all_but(const std::set<ValueId>& values);

  std::size_t evaluated() const { return evaluated_; }

 private:
  // What is being made: the residues of a value, or the digest of one.
  struct Wanted {
    ValueId id;
    bool is_digest = false;
    // Of the operands, or what is digested: they live until this is made even where the store has
    // no room for them.
    std::vector<Residues> held = {};
    std::size_t next = 0;  // of an opaque one's operands: those before have digests
  };

  Result<Residues> make(Wanted wanted);
  std::optional<Wanted> still_missing(Wanted& wanted) const;
  Result<Residues> finished(const Wanted& wanted);
  Result<Residues> compute(ValueId id, const std::vector<Residues>& operands);
  Result<ResidueTensor> leaf(const Value& value, const Node& node) const;
  // Uniform, a function of the key alone.
  Result<ResidueTensor> random_residues(const Digest& key, const Shape& shape) const;
  // REQUIRES: its operands have digests
  Digest opaque_digest(ValueId id) const;
  Digest digest_of_unknown_shape(ValueId id) const;
  Result<Digest> digest_of(const TensorType& type, const ResidueTensor& tensor) const;
  bool is_weight(ValueId id) const;
  void keep(ValueId id, std::shared_ptr<const ResidueTensor> tensor);

  const ValueTable& table_;
  const PairCode& code_;
  const ResidueEvaluator& evaluator_;
  Digest secret_;
  std::size_t memory_bytes_;
  std::stop_token stop_;
  std::map<ValueId, std::shared_ptr<const ResidueTensor>> kept_;
  // What follows from constants alone serves one operator each, is large and goes first, down to a
  // share of the memory.
  struct Queue {
    std::deque<ValueId> order;  // oldest first
    std::size_t bytes = 0;
  };
  Queue of_weights_, of_others_;
  std::set<ValueId> weights_;
  std::map<ValueId, Digest> digests_;
  std::size_t evaluated_ = 0;
};

}  // namespace pet
