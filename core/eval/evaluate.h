// Evaluates one operator from its meaning: element functions first, then the sum. In residues an
// element function is a keyed hash of its arguments (theory: an uninterpreted random function); in
// reals it is itself.
#pragma once

#include <span>
#include <stop_token>

#include "core/eval/kernels/keyed_hash.h"
#include "core/eval/meaning_code.h"
#include "core/eval/ring.h"
#include "core/util/result.h"

namespace pet {

class ResidueEvaluator {
 public:
  // Where `stop` asks for it evaluate() ends soon, with an Error of the kind Stopped.
  ResidueEvaluator(std::vector<PrimeField> fields, const Digest& secret, std::size_t threads,
                   std::stop_token stop = {})
      : ring_(std::move(fields)), key_(secret), threads_(threads), stop_(std::move(stop)) {}

  const ResidueRing& ring() const { return ring_; }
  const HashKey& key() const { return key_; }
  std::size_t threads() const { return threads_; }
  // REQUIRES: the operands have the shapes for which it was compiled
  Result<ResidueTensor> evaluate(const MeaningCode& code,
                                 std::span<const ResidueTensor* const> operands) const;
  // Compiled for this once.
  Result<ResidueTensor> evaluate(const Meaning& meaning,
                                 std::span<const ResidueTensor* const> operands) const;

  // For each application of a meaning the digests of the arguments of every element: what its
  // results are expanded from. Two elements with equal digests have equal arguments (up to the
  // error bound), under the same function.
  Result<std::vector<std::vector<Hash128>>> argument_digests(
      const MeaningCode& code, std::span<const ResidueTensor* const> operands) const;

 private:
  Result<std::vector<Hash128>> argument_digests(
      const Application& application, const ApplicationCode& code,
      std::span<const ResidueTensor* const> operands) const;
  ResidueTensor results(const std::vector<Hash128>& digests, const Shape& shape) const;

  ResidueRing ring_;
  HashKey key_;
  std::size_t threads_;
  std::stop_token stop_;
};

// Functions as they are, or every result replaced by 1 (the size of a sum's terms is counted from
// the last non-linear operator on).
enum class Functions { Computed, One };

template <class T>
class RealEvaluator {
 public:
  // `lanes`: on how many inputs at once.
  RealEvaluator(Signs signs, Functions functions, std::size_t threads, std::stop_token stop = {},
                std::size_t lanes = 1)
      : ring_(signs, lanes), functions_(functions), threads_(threads), stop_(std::move(stop)) {}

  // REQUIRES: the operands have the shapes for which it was compiled
  Result<LaneTensor<T>> evaluate(const MeaningCode& code,
                                 std::span<const LaneTensor<T>* const> operands) const;
  // Compiled for this once.
  Result<LaneTensor<T>> evaluate(const Meaning& meaning,
                                 std::span<const LaneTensor<T>* const> operands) const;

  // Its sum alone; the results of its applications come behind the operands.
  Result<LaneTensor<T>> sum(const MeaningCode& code,
                            std::span<const LaneTensor<T>* const> operands) const;

  // The results of one application; those of earlier ones come behind the operands.
  LaneTensor<T> result(const MeaningCode& code, std::size_t number,
                       std::span<const LaneTensor<T>* const> operands) const;

  // Argument k of an application, over all its results: what the size of a function's arguments is
  // read off.
  LaneTensor<T> argument(const Application& application, const ApplicationCode& code, std::size_t k,
                         std::span<const LaneTensor<T>* const> operands) const;

 private:
  LaneTensor<T> apply(const Application& application, const ApplicationCode& code,
                      std::span<const LaneTensor<T>* const> operands) const;

  RealRing<T> ring_;
  Functions functions_;
  std::size_t threads_;
  std::stop_token stop_;
};

}  // namespace pet
