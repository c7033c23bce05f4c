#include "core/rewrite/condition.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/util/printable.h"

namespace pet::rules {
bool Atom::holds(const std::vector<Quantity>& at) const {
  const Dim x = at[a].value;
  const Dim y = at[b].value;
  switch (kind) {
    case Kind::IsOne:
      return x == 1;
    case Kind::Equal:
      return x == y;
    case Kind::SameParity:
      return (x - y) % 2 == 0;
    case Kind::IsOdd:
      return x % 2 != 0;
    case Kind::IsEven:
      return x % 2 == 0;
    case Kind::OddOrEven:
      return x % 2 != 0 || y % 2 == 0;
    case Kind::Sum:
      return x + y == at[c].value;
  }
  return false;
}

bool Condition::holds(const std::vector<Quantity>& at) const {
  return std::all_of(atoms.begin(), atoms.end(), [&](const Atom& atom) { return atom.holds(at); });
}

std::string to_string(const Condition& condition, const std::vector<Quantity>& named) {
  std::string out;
  for (const Atom& atom : condition.atoms) {
    if (!out.empty()) out += " and ";
    const std::string& a = named[atom.a].name;
    const std::string& b = named[atom.b].name;
    switch (atom.kind) {
      case Atom::Kind::IsOne:
        out += fmt::format("{} = 1", a);
        break;
      case Atom::Kind::Equal:
        out += fmt::format("{} = {}", a, b);
        break;
      case Atom::Kind::SameParity:
        out += fmt::format("{} - {} is even", a, b);
        break;
      case Atom::Kind::IsOdd:
        out += fmt::format("{} is odd", a);
        break;
      case Atom::Kind::IsEven:
        out += fmt::format("{} is even", a);
        break;
      case Atom::Kind::OddOrEven:
        out += fmt::format("({} is odd or {} is even)", a, b);
        break;
      case Atom::Kind::Sum:
        out += fmt::format("{} + {} = {}", a, b, named[atom.c].name);
        break;
    }
  }
  return out;
}

namespace {

// Reads formulas from the front of a text. A name may be the beginning of another, and may hold
// whatever stands between names: every way to read on is tried.
class ConditionReader {
 public:
  explicit ConditionReader(const std::vector<Quantity>& named) : named_(named) {}

  bool read(std::string_view rest) {
    if (out_.atoms.size() == kMostAtomsRead) return false;
    const bool in_brackets = rest.starts_with('(') && either(rest.substr(1));
    return in_brackets || any_name(rest, [this](std::size_t a, std::string_view after) {
             return about(a, after);
           });
  }
  Condition take() { return std::move(out_); }

 private:
  static constexpr std::size_t kMostAtomsRead = 16;

  template <class Then>
  bool any_name(std::string_view rest, const Then& then) {
    for (std::size_t i = 0; i < named_.size(); ++i) {
      const std::string& name = named_[i].name;
      if (rest.starts_with(name) && then(i, rest.substr(name.size()))) return true;
    }
    return false;
  }
  // A word, then a name, then whatever `then` wants.
  template <class Then>
  bool word_and_name(std::string_view rest, std::string_view word, const Then& then) {
    return rest.starts_with(word) && any_name(rest.substr(word.size()), then);
  }

  bool about(std::size_t a, std::string_view rest) {
    return ended({Atom::Kind::IsOne, a, a}, rest, " = 1") ||
           ended({Atom::Kind::IsOdd, a, a}, rest, " is odd") ||
           ended({Atom::Kind::IsEven, a, a}, rest, " is even") ||
           word_and_name(rest, " = ",
                         [&](std::size_t b, std::string_view after) {
                           return ended({Atom::Kind::Equal, a, b}, after, "");
                         }) ||
           word_and_name(rest, " - ",
                         [&](std::size_t b, std::string_view after) {
                           return ended({Atom::Kind::SameParity, a, b}, after, " is even");
                         }) ||
           word_and_name(rest, " + ", [&](std::size_t b, std::string_view after) {
             return word_and_name(after, " = ", [&](std::size_t c, std::string_view end) {
               return ended({Atom::Kind::Sum, a, b, c}, end, "");
             });
           });
  }
  bool either(std::string_view rest) {
    return any_name(rest, [&](std::size_t a, std::string_view after) {
      return word_and_name(after, " is odd or ", [&](std::size_t b, std::string_view end) {
        return ended({Atom::Kind::OddOrEven, a, b}, end, " is even)");
      });
    });
  }
  // The formula, if it ends with that word, and all that follow it.
  bool ended(const Atom& atom, std::string_view rest, std::string_view word) {
    constexpr std::string_view kAnd = " and ";
    if (!rest.starts_with(word)) return false;
    rest.remove_prefix(word.size());
    out_.atoms.push_back(atom);
    if (rest.empty() || (rest.starts_with(kAnd) && read(rest.substr(kAnd.size())))) return true;
    out_.atoms.pop_back();
    return false;
  }

  const std::vector<Quantity>& named_;
  Condition out_;
};

}  // namespace

Result<Condition> parse_condition(const std::string& text, const std::vector<Quantity>& named) {
  if (text.empty()) return Condition{};
  ConditionReader reader(named);
  if (reader.read(text)) return reader.take();
  return Error{fmt::format("no condition on what the rule speaks of: \"{}\"", printable(text)),
               ErrorKind::Malformed};
}

}  // namespace pet::rules
