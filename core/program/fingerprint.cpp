#include "core/program/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/eval/linear_points.h"
#include "core/eval/point_eval.h"

namespace pet {
namespace {

// A fraction of a second; a mutant that needs more is not judged here.
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 23;

Dim random_index(Dim extent, Rng& rng) {
  return static_cast<Dim>(rng.below(static_cast<std::uint64_t>(extent)));
}

Dim border(Dim extent, Rng& rng) { return rng.below(2) == 0 ? 0 : extent - 1; }

enum class Stratum { Corner, Border, Interior };

Dim random_position(const Shape& shape, Stratum stratum, Rng& rng) {
  const std::size_t on_border =
      shape.empty() ? 0 : static_cast<std::size_t>(rng.below(shape.size()));
  Dim flat = 0;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    const bool outer = stratum == Stratum::Corner || (stratum == Stratum::Border && a == on_border);
    flat = flat * shape[a] + (outer ? border(shape[a], rng) : random_index(shape[a], rng));
  }
  return flat;
}

Digest random_digest(Rng& rng) {
  return Digester("fingerprint").add(rng.next()).add(rng.next()).finish();
}

}  // namespace

std::vector<Dim> stratified_positions(const Shape& shape, Rng& rng, std::size_t positions) {
  const auto size = static_cast<std::size_t>(count(shape));
  std::set<Dim> chosen;
  if (size <= positions) {
    for (std::size_t i = 0; i < size; ++i) chosen.insert(static_cast<Dim>(i));
    return {chosen.begin(), chosen.end()};
  }
  for (std::size_t i = 0; i < positions / 4; ++i)
    chosen.insert(random_position(shape, Stratum::Corner, rng));
  for (std::size_t i = 0; i < positions / 4; ++i)
    chosen.insert(random_position(shape, Stratum::Border, rng));
  while (chosen.size() < positions) chosen.insert(random_position(shape, Stratum::Interior, rng));
  return {chosen.begin(), chosen.end()};
}

struct Fingerprinter::Memory {
  struct Value {
    std::size_t output = 0;
    Dim position = 0;
    std::uint32_t value = 0;
  };

  explicit Memory(const Graph& program, std::uint64_t seed)
      : original(program),
        rng(seed),
        keys(random_digest(rng), 0),
        field(draw_primes(keys, 1).front()),
        secret(random_digest(rng)),
        leaves(remembered(random_leaves(field, secret, original))) {}

  // Constants are shared by all mutants; what stands for one is found once.
  static Leaves remembered(Leaves leaves) {
    auto known = std::make_shared<std::map<Digest, LeafElements>>();
    return [known, leaves = std::move(leaves)](const Node& node) {
      if (node.constant() == nullptr) return leaves(node);
      LeafElements& elements = (*known)[node.constant()->digest()];
      if (!elements) elements = leaves(node);
      return elements;
    };
  }

  const Graph original;  // a copy: leaves refer to it
  Rng rng;
  KeyStream keys;
  PrimeField field;
  Digest secret;
  Leaves leaves;
  std::vector<Value> values;
  std::optional<Error> error;  // the original cannot be evaluated at single points
};

Fingerprinter::Fingerprinter(const Graph& original, std::uint64_t seed, std::size_t positions)
    : memory_(std::make_unique<Memory>(original, seed)) {
  PointEvaluator evaluator(memory_->original, memory_->field, memory_->leaves, memory_->secret,
                           kMostSteps);
  for (std::size_t i = 0; i < original.outputs().size(); ++i) {
    const Shape& shape = *original.node(original.outputs()[i]).type.shape;
    std::vector<Dim> where = stratified_positions(shape, memory_->rng, positions);
    // Sorted by flat position: those in the middle of the list are rarely at a border.
    std::rotate(where.begin(), where.begin() + static_cast<std::ptrdiff_t>(where.size() / 2),
                where.end());
    for (const Dim position : where) {
      auto value = evaluator.value(original.outputs()[i], position);
      if (!value) {
        memory_->error = std::move(value).error();
        return;
      }
      memory_->values.push_back({i, position, *value});
    }
  }
}

Fingerprinter::~Fingerprinter() = default;

// The values of one mutant, element by element. Element functions need the evaluator that knows
// them.
class Fingerprinter::Reader {
 public:
  Reader(const Reader&) = delete;  // elements that are computed refer to it
  Reader& operator=(const Reader&) = delete;
  Reader(const Memory& memory, const Graph& mutant)
      : mutant_(mutant),
        slow_(mutant, memory.field, memory.leaves, memory.secret, kMostSteps),
        fast_(LinearPoints::of(mutant, memory.field, memory.leaves,
                               [this](NodeId id) { return computed(id); })) {
    if (fast_) fast_->limit(kMostSteps);
  }

  Result<bool> agrees(const Memory::Value& wanted) {
    const NodeId output = mutant_.outputs()[wanted.output];
    if (!fast_) {
      const auto value = slow_.value(output, wanted.position);
      if (!value) return value.error();
      return *value == wanted.value;
    }
    const auto value = fast_->value(output, wanted.position);
    if (!value) return Error{"evaluating a point takes too many steps", ErrorKind::Tool};
    if (error_) return *error_;
    return *value == wanted.value;
  }

 private:
  // What weights are computed from, a normalisation's factors say: every element once.
  LeafElements computed(NodeId id) {
    auto known = std::make_shared<std::map<Dim, std::uint32_t>>();
    return [this, id, known](Dim flat) {
      const auto [it, is_new] = known->try_emplace(flat, 0);
      if (!is_new) return it->second;
      const auto value = slow_.value(id, flat);
      if (value) it->second = *value;
      if (!value && !error_) error_ = value.error();
      return it->second;
    };
  }

  const Graph& mutant_;
  PointEvaluator slow_;
  std::optional<LinearPoints> fast_;
  std::optional<Error> error_;
};

Status Fingerprinter::is_comparable(const Graph& mutant) const {
  if (memory_->error) return *memory_->error;
  const auto& original = memory_->original;
  if (original.outputs().size() != mutant.outputs().size())
    return Error{"the programs have different numbers of outputs"};
  for (std::size_t i = 0; i < original.outputs().size(); ++i) {
    if (original.node(original.outputs()[i]).type != mutant.node(mutant.outputs()[i]).type)
      return Error{fmt::format("output {} has another type", i)};
  }
  return Done{};
}

Result<Fingerprinter::Look> Fingerprinter::look(const Graph& mutant) const {
  if (auto status = is_comparable(mutant); !status) return std::move(status).error();
  Reader reader(*memory_, mutant);
  Look out;
  for (const Memory::Value& wanted : memory_->values) {
    const auto agrees = reader.agrees(wanted);
    if (!agrees) return agrees.error();
    ++out.tested;
    out.agrees = *agrees;
    if (out.agrees) break;
  }
  return out;
}

Result<Fingerprint> Fingerprinter::compare(const Graph& mutant) const {
  if (auto status = is_comparable(mutant); !status) return std::move(status).error();
  Reader reader(*memory_, mutant);
  Fingerprint out;
  for (const Memory::Value& wanted : memory_->values) {
    const auto agrees = reader.agrees(wanted);
    if (!agrees) return agrees.error();
    ++out.positions;
    if (*agrees) ++out.agree;
  }
  return out;
}

}  // namespace pet
