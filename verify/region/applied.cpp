#include "verify/region/applied.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

namespace pet::region {
namespace {

std::string text_of(const Affine& e) {
  std::string out = fmt::format("{}", e.constant());
  for (const auto& [var, coefficient] : e.parts()) out += fmt::format("+{}v{}", coefficient, var);
  return out;
}

std::string text_of(const WeightedBox& box) {
  std::string out = to_string(box.weight);
  for (const Range& range : box.sums) out += fmt::format("[{},{})", range.low, range.high);
  return out;
}

// Everything that there is to say about an argument.
std::string in_full(const Argument& argument) {
  if (!argument) return "hole";
  std::string out;
  for (const auto& [kind, boxes] : *argument) {
    for (const WeightedBox& box : boxes) out += text_of(box) + ' ';
    for (const Factor& factor : kind) {
      out += fmt::format("l{}(", factor.leaf.value);
      for (const Affine& e : factor.index) out += text_of(e) + ',';
      out += ')';
    }
    out += ';';
  }
  return out;
}

// The same but for the indices, which are appended to `index`; nothing where that would leave open
// which index belongs to which leaf.
std::optional<std::string> by_leaves(const Argument& argument, std::vector<Affine>& index) {
  if (!argument) return "hole";
  struct Entry {
    std::vector<Leaf> leaves;
    const Rational* weight;
    const TermList::Kind* kind;
  };
  std::vector<Entry> entries;
  for (const auto& [kind, boxes] : *argument) {
    if (boxes.size() != 1 || !boxes[0].sums.empty()) return std::nullopt;
    Entry& entry = entries.emplace_back();
    for (const Factor& factor : kind) entry.leaves.push_back(factor.leaf);
    if (std::adjacent_find(entry.leaves.begin(), entry.leaves.end()) != entry.leaves.end())
      return std::nullopt;
    entry.weight = &boxes[0].weight;
    entry.kind = &kind;
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.leaves < b.leaves; });
  const auto same =
      std::adjacent_find(entries.begin(), entries.end(),
                         [](const Entry& a, const Entry& b) { return a.leaves == b.leaves; });
  if (same != entries.end()) return std::nullopt;
  std::string out;
  for (const Entry& entry : entries) {
    out += to_string(*entry.weight);
    for (const Factor& factor : *entry.kind) {
      out += fmt::format(" l{}({})", factor.leaf.value, factor.index.size());
      index.insert(index.end(), factor.index.begin(), factor.index.end());
    }
    out += ';';
  }
  return out;
}

// Whether what the leaves of the arguments are does not depend on the box.
bool are_by_leaves(const Arguments& arguments, const LeafTable& leaves) {
  for (const auto* list : {&arguments.elements, &arguments.window}) {
    for (const Argument& argument : *list) {
      if (!argument) continue;
      for (const auto& term : *argument) {
        for (const Factor& factor : term.first) {
          if (!leaves.is_by_leaves(factor.leaf)) return false;
        }
      }
    }
  }
  return true;
}

// A variable that is neither a digit nor summed over within the argument.
std::optional<Var> summed_variable(const Arguments& arguments, std::size_t digits,
                                   std::size_t variables) {
  for (const auto* list : {&arguments.elements, &arguments.window}) {
    for (const Argument& argument : *list) {
      if (!argument) continue;
      for (const auto& term : *argument) {
        for (const Factor& factor : term.first) {
          for (const Affine& e : factor.index) {
            for (const auto& part : e.parts()) {
              const auto number = static_cast<std::size_t>(part.var);
              if (number >= digits && number < variables) return part.var;
            }
          }
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::variant<Factor, Var> applied(const Application& application, const Arguments& arguments,
                                  std::size_t digits, std::size_t variables, LeafTable& leaves) {
  std::string name = fmt::format("{}", application.function->name);
  for (const double parameter : application.parameters)
    name += fmt::format(" {:x}", std::bit_cast<std::uint64_t>(parameter));
  const bool unordered = application.window && application.window->symmetry == Symmetry::Multiset;
  std::vector<Affine> index;
  std::optional<std::string> key = name + " by leaves:";
  for (const auto* list : {&arguments.elements, &arguments.window}) {
    if (list == &arguments.window) *key += " window";
    for (const Argument& argument : *list) {
      const auto text = by_leaves(argument, index);
      if (!text || (unordered && list == &arguments.window)) {
        key.reset();
        break;
      }
      *key += *text + '|';
    }
    if (!key) break;
  }
  const Totality totality = application.function->totality;
  if (key) {
    const auto known =
        are_by_leaves(arguments, leaves) ? LeafTable::Known::ByLeaves : LeafTable::Known::InFull;
    return Factor{leaves.of_function(*key, totality, known), std::move(index)};
  }
  if (const auto var = summed_variable(arguments, digits, variables)) return *var;
  std::string full = name + " in full:";
  for (const Argument& argument : arguments.elements) full += in_full(argument) + '|';
  full += " window";
  std::vector<std::string> window;
  for (const Argument& argument : arguments.window) window.push_back(in_full(argument));
  if (unordered) std::sort(window.begin(), window.end());
  for (const std::string& one : window) full += one + '|';
  return Factor{leaves.of_function(full, totality, LeafTable::Known::InFull), {}};
}

}  // namespace pet::region
