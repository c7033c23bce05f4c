#include "verify/rules/find_condition.h"

#include <algorithm>

namespace pet::rules {
namespace {

constexpr std::size_t kMostAtoms = 3;
// Far beyond what published rules have (26): the atoms are as many as triples of them.
constexpr std::size_t kMostQuantities = 128;
constexpr std::size_t kMostTries = std::size_t{1} << 26;

// In the order in which they are preferred.
std::vector<Atom> all_atoms(const std::vector<Quantity>& named) {
  const std::size_t quantities = named.size();
  std::vector<Atom> out;
  for (std::size_t a = 0; a < quantities; ++a) out.push_back({Atom::Kind::IsOne, a, a});
  for (const auto kind : {Atom::Kind::Equal, Atom::Kind::SameParity}) {
    for (std::size_t a = 0; a < quantities; ++a) {
      for (std::size_t b = a + 1; b < quantities; ++b) out.push_back({kind, a, b});
    }
  }
  for (const auto kind : {Atom::Kind::IsOdd, Atom::Kind::IsEven}) {
    for (std::size_t a = 0; a < quantities; ++a) out.push_back({kind, a, a});
  }
  for (std::size_t a = 0; a < quantities; ++a) {
    for (std::size_t b = 0; b < quantities; ++b) {
      if (a != b) out.push_back({Atom::Kind::OddOrEven, a, b});
    }
  }
  for (std::size_t a = 0; a < quantities; ++a) {
    for (std::size_t b = a + 1; b < quantities; ++b) {
      for (std::size_t c = 0; c < quantities; ++c) {
        if (c != a && c != b && named[a].counts_zeros && named[b].counts_zeros &&
            named[c].counts_zeros)
          out.push_back({Atom::Kind::Sum, a, b, c});
      }
    }
  }
  return out;
}

// For each atom the wrong samples at which it does not hold: those that it keeps out.
struct Kept {
  Atom atom;
  std::vector<char> out;
};

// How long a condition is looked for.
class Patience {
 public:
  explicit Patience(const std::stop_token& stop) : stop_(stop) {}

  // False: no longer.
  bool try_one() {
    constexpr std::size_t kBetweenLooks = 4096;
    if (++tries_ % kBetweenLooks == 0 && stop_.stop_requested()) tries_ = kMostTries;
    return tries_ < kMostTries;
  }

 private:
  const std::stop_token& stop_;
  std::size_t tries_ = 0;
};

// Whether `number` more atoms, from `first` on, keep out what is left.
bool complete(const std::vector<Kept>& atoms, std::size_t first, std::size_t number,
              const std::vector<char>& left, std::vector<Atom>& chosen, Patience& patience) {
  const auto open = std::find(left.begin(), left.end(), 1);
  if (open == left.end()) return true;
  if (number == 0) return false;
  for (std::size_t i = first; i < atoms.size() && patience.try_one(); ++i) {
    std::vector<char> rest = left;
    bool useful = false;
    for (std::size_t k = 0; k < rest.size(); ++k) {
      if (rest[k] == 0 || atoms[i].out[k] == 0) continue;
      rest[k] = 0;
      useful = true;
    }
    if (!useful) continue;
    chosen.push_back(atoms[i].atom);
    if (complete(atoms, i + 1, number - 1, rest, chosen, patience)) return true;
    chosen.pop_back();
  }
  return false;
}

}  // namespace

std::optional<Condition> find_condition(std::span<const Sample> samples,
                                        const std::stop_token& stop) {
  if (samples.empty() || samples.front().quantities.size() > kMostQuantities) return std::nullopt;
  std::vector<Kept> atoms;
  for (const Atom& atom : all_atoms(samples.front().quantities)) {
    Kept kept{atom, {}};
    bool holds_where_right = true;
    for (const Sample& sample : samples) {
      const bool holds = atom.holds(sample.quantities);
      if (sample.right) {
        holds_where_right = holds_where_right && holds;
      } else {
        kept.out.push_back(static_cast<char>(!holds));
      }
    }
    if (holds_where_right) atoms.push_back(std::move(kept));
  }
  const auto wrong = static_cast<std::size_t>(
      std::count_if(samples.begin(), samples.end(), [](const Sample& s) { return !s.right; }));
  Patience patience(stop);
  for (std::size_t number = 1; number <= kMostAtoms; ++number) {
    Condition out;
    if (complete(atoms, 0, number, std::vector<char>(wrong, 1), out.atoms, patience)) return out;
  }
  return std::nullopt;
}

}  // namespace pet::rules
