#include "core/program/channel_map.h"

#include <algorithm>
#include <set>

namespace pet {
namespace {

bool is_anywhere(const Term& term) {
  return term.reduce.empty() && term.guards.empty() && term.coef.tables.empty();
}

// The one operand that is no constant.
std::optional<std::size_t> data_of(const Graph& graph, const Node& node) {
  std::optional<std::size_t> out;
  for (std::size_t k = 0; k < node.operands.size(); ++k) {
    if (graph.node(node.operands[k]).constant() != nullptr) continue;
    if (out) return std::nullopt;
    out = k;
  }
  return out;
}

class Reading {
 public:
  Reading(const Graph& graph, NodeId id, std::size_t data)
      : node_(graph.node(id)), meaning_(graph.meaning(id)), data_(static_cast<int>(data)) {
    is_read_in_place_ = graph.node(node_.operands[data]).type.shape == meaning_.sum.out;
  }

  std::optional<ChannelMap> map() {
    if (!is_read_in_place_ || applications_read(data_)) return std::nullopt;
    for (const Term& term : meaning_.sum.terms)
      if (!is_anywhere(term) || !note(term)) return std::nullopt;
    if (data_terms_.empty() || axes_.size() > 1) return std::nullopt;
    ChannelMap out;
    out.data = static_cast<std::size_t>(data_);
    if (!axes_.empty()) out.axis = static_cast<std::size_t>(*axes_.begin());
    const Term& first = *data_terms_.front();
    out.scales = data_terms_.size() > 1 || first.factors.size() > 1 || first.coef.scale != 1;
    for (std::size_t k = 0; k < node_.operands.size(); ++k)
      if (only_shifts(static_cast<int>(k))) out.offsets.push_back(k);
    return all_vanish(out.offsets) ? std::optional(std::move(out)) : std::nullopt;
  }

 private:
  bool applications_read(int operand) const {
    return std::ranges::any_of(meaning_.applications, [&](const Application& application) {
      const bool in_window = application.window && application.window->read.operand == operand;
      return in_window || std::ranges::find(application.elements, operand, &Access::operand) !=
                              application.elements.end();
    });
  }

  static bool reads(const Term& term, int operand) {
    return std::ranges::find(term.factors, operand, &Access::operand) != term.factors.end();
  }

  // Of the data the element itself, once; of everything else what stands at its channel.
  bool note(const Term& term) {
    std::size_t times = 0;
    for (const Access& access : term.factors) {
      if (access.operand == data_) {
        if (++times > 1 || !is_identity(access)) return false;
      } else if (!note_channel(access)) {
        return false;
      }
    }
    (times == 1 ? data_terms_ : shifts_).push_back(&term);
    return true;
  }

  bool is_identity(const Access& access) const {
    const Shape& out = meaning_.sum.out;
    for (std::size_t i = 0; i < access.index.size(); ++i) {
      const bool is_only_one = out[i] == 1 && access.index[i] == IndexExpr(0);
      if (!is_only_one && access.index[i] != v(i)) return false;
    }
    return true;
  }

  bool note_channel(const Access& access) {
    for (const IndexExpr& index : access.index) {
      if (index == IndexExpr(0)) continue;
      if (index.parts().size() != 1 || !index.parts()[0].is_plain_axis()) return false;
      if (index != v(index.parts()[0].axis)) return false;
      axes_.insert(index.parts()[0].axis);
    }
    return true;
  }

  bool only_shifts(int operand) const {
    const auto has = [&](const Term* term) { return reads(*term, operand); };
    return std::ranges::any_of(shifts_, has) && std::ranges::none_of(data_terms_, has) &&
           !applications_read(operand);
  }

  // Without the offsets nothing is left but what scales the data.
  bool all_vanish(const std::vector<std::size_t>& offsets) const {
    return std::ranges::all_of(shifts_, [&](const Term* term) {
      return std::ranges::any_of(offsets,
                                 [&](std::size_t k) { return reads(*term, static_cast<int>(k)); });
    });
  }

  const Node& node_;
  const Meaning& meaning_;
  const int data_;
  bool is_read_in_place_ = false;
  std::vector<const Term*> data_terms_;
  std::vector<const Term*> shifts_;
  std::set<int> axes_;
};

}  // namespace

std::optional<ChannelMap> channel_map(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.op() == nullptr || !graph.has_meaning(id) || !node.type.shape) return std::nullopt;
  const auto data = data_of(graph, node);
  return data ? Reading(graph, id, *data).map() : std::nullopt;
}

}  // namespace pet
