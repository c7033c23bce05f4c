#include "verify/rounding_risk.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>

#include "core/util/digest.h"

namespace pet {
namespace {

// More than three ordinary numbers, with what sizes allow constants to be, may leave the floats.
constexpr int kHighDegree = 4;

// What the elements of a value are made of: inputs, results of functions, products, sums of such.
// Nothing: constants.
struct Source {
  std::set<Digest> parts;
  int degree = 0;  // how many of them its largest products multiply

  bool is_constant() const { return parts.empty(); }
  bool is_multiplied() const { return degree > 1; }
  void include(const Source& other) {
    parts.insert(other.parts.begin(), other.parts.end());
    degree = std::max(degree, other.degree);
  }
  Digest digest() const {
    Digester out("parts");
    for (const Digest& part : parts) out.add(part);
    return out.finish();
  }
};

bool sums_nothing(const Meaning& meaning) {
  return is_data_movement(meaning) ||
         (meaning.sum.terms.size() == 1 && count(meaning.sum.terms[0].reduce) == 1);
}

Digest digest_of(std::string_view what, const std::multiset<Digest>& parts) {
  Digester out(what);
  for (const Digest& part : parts) out.add(part);
  return out.finish();
}

// One program, node by node.
class Sums {
 public:
  explicit Sums(const Graph& graph) : graph_(graph), sums_(graph.nodes().size()) {
    for (const NodeId id : graph.ids()) sources_.push_back(source_of(id));
  }

  // The largest of any node that an output needs.
  int highest_degree() const {
    const auto needed = graph_.needed_by_outputs();
    int out = 0;
    for (std::size_t i = 0; i < needed.size(); ++i) {
      if (needed[i] != 0) out = std::max(out, sources_[i].degree);
    }
    return out;
  }

  // Those that may cancel unseen on the way to an output.
  std::set<Digest> on_the_way_to(NodeId output) const {
    std::vector<char> needed(output.index() + 1, 0);
    needed.back() = 1;
    std::set<Digest> out;
    for (std::size_t i = needed.size(); i-- > 0;) {
      if (needed[i] == 0) continue;
      if (sums_[i]) out.insert(*sums_[i]);
      for (const NodeId operand : graph_.node(NodeId(i)).operands) needed[operand.index()] = 1;
    }
    return out;
  }

 private:
  Source source_of(NodeId id) {
    const Node& node = graph_.node(id);
    if (const InputLeaf* input = node.input())
      return {{Digester("input").add(input->name).finish()}, 1};
    const bool reads_constants =
        std::all_of(node.operands.begin(), node.operands.end(),
                    [&](NodeId operand) { return sources_[operand.index()].is_constant(); });
    if (reads_constants) return {};
    if (graph_.has_meaning(id)) return source_of(id, graph_.meaning(id));
    Digester opaque("opaque");
    digest_into(opaque, *node.op());
    for (const NodeId operand : node.operands) opaque.add(sources_[operand.index()].digest());
    return {{opaque.finish()}, 1};
  }

  Source source_of(NodeId id, const Meaning& meaning) {
    const auto& operands = graph_.node(id).operands;
    std::vector<Source> results;
    const auto source = [&](const Access& access) -> const Source& {
      const auto k = static_cast<std::size_t>(access.operand);
      return k < operands.size() ? sources_[operands[k].index()] : results[k - operands.size()];
    };
    for (const Application& application : meaning.applications) {
      bool is_constant = true;
      Digester function("function");
      function.add(application.function->name);
      for (const double x : application.parameters) function.add(std::bit_cast<std::uint64_t>(x));
      const auto read = [&](const Access& access) {
        function.add(source(access).digest());
        is_constant = is_constant && source(access).is_constant();
      };
      for (const Access& access : application.elements) read(access);
      if (application.window) read(application.window->read);
      results.push_back(is_constant ? Source{} : Source{{function.finish()}, 1});
    }
    Source all;
    std::set<Digest> alone;
    std::multiset<Digest> products;
    for (const Term& term : meaning.sum.terms) {
      Source summand;
      int degree = 0;
      std::multiset<Digest> factors;
      for (const Access& access : term.factors) {
        if (source(access).is_constant()) continue;
        summand.include(source(access));
        degree = std::min(degree + source(access).degree, kHighDegree);
        factors.insert(source(access).digest());
      }
      if (factors.size() > 1) summand = {{digest_of("product", factors)}, degree};
      all.include(summand);
      if (summand.is_multiplied())
        products.insert(summand.digest());
      else
        alone.merge(summand.parts);
    }
    if (sums_nothing(meaning) || (all.parts.size() <= 1 && !all.is_multiplied())) return all;
    sums_[id.index()] = Digester("sum")
                            .add(digest_of("alone", {alone.begin(), alone.end()}))
                            .add(digest_of("products", products))
                            .finish();
    return {{*sums_[id.index()]}, all.degree};
  }

  const Graph& graph_;
  std::vector<Source> sources_;              // by node
  std::vector<std::optional<Digest>> sums_;  // by node, where one may cancel unseen
};

}  // namespace

bool may_cancel_unseen(const Graph& original, const Graph& mutant) {
  const Sums theirs(original);
  const Sums mine(mutant);
  for (std::size_t i = 0; i < mutant.outputs().size(); ++i) {
    const auto known = theirs.on_the_way_to(original.outputs()[i]);
    const auto found = mine.on_the_way_to(mutant.outputs()[i]);
    if (!std::includes(known.begin(), known.end(), found.begin(), found.end())) return true;
  }
  return false;
}

bool has_high_powers(const Graph& graph) { return Sums(graph).highest_degree() >= kHighDegree; }

bool may_leave_domain(const Graph& mutant, const ValueTable& table) {
  const auto needed = mutant.needed_by_outputs();
  std::vector<char> own(mutant.nodes().size(), 0);  // sums in the mutant's own way, or follows one
  for (const NodeId id : mutant.ids()) {
    if (needed[id.index()] == 0 || !mutant.has_meaning(id)) continue;
    const auto& operands = mutant.node(id).operands;
    const Meaning& meaning = mutant.meaning(id);
    const auto reads_own = [&](const Access& access) {
      const auto k = static_cast<std::size_t>(access.operand);
      return k < operands.size() && own[operands[k].index()] != 0;
    };
    for (const Application& application : meaning.applications) {
      // What looks at a whole window has its own way to stay defined.
      if (application.function->totality == Totality::Partial && !application.window &&
          std::any_of(application.elements.begin(), application.elements.end(), reads_own))
        return true;
    }
    if (!meaning.applications.empty()) continue;
    const bool sums = table.is_new(table.computed_by_mutant(id)) && !sums_nothing(meaning);
    const bool follows = std::any_of(operands.begin(), operands.end(),
                                     [&](NodeId operand) { return own[operand.index()] != 0; });
    own[id.index()] = sums || follows ? 1 : 0;
  }
  return false;
}

}  // namespace pet
