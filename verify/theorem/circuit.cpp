#include "verify/theorem/circuit.h"

#include <algorithm>
#include <map>

#include "verify/values/step_limit.h"

namespace pet::theorem {
namespace {

using Stop = std::optional<std::variant<Need, Error>>;

class Writer {
 public:
  Writer(const Program& program, const DigitBox& box, LeafReads& reads, Steps& steps)
      : program_(program), box_(box), reads_(reads), steps_(steps), width_(box.width()) {
    nodes_.resize(program.graph().nodes().size());
    coefficient(1);
  }

  std::uint32_t ask(NodeId id, Row row) {
    OfNode& of = nodes_[id.index()];
    if (of.values.empty()) of.rows = Rows(row.size());
    const std::uint32_t number = of.rows.number(row);
    if (number == of.values.size()) of.values.push_back(new_value());
    return of.values[number];
  }

  // Consumers stand behind what they read: when it is a node's turn all is known that is asked of
  // it.
  Written run(std::vector<std::uint32_t> results) {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      for (std::size_t k = 0; k < nodes_[i].values.size(); ++k) {
        if (auto stop = write(NodeId(i), k)) {
          if (auto* need = std::get_if<Need>(&*stop)) return *need;
          return std::get<Error>(std::move(*stop));
        }
      }
    }
    out_.order = std::move(functions_);
    for (const OfNode& of : nodes_)
      out_.order.insert(out_.order.end(), of.values.begin(), of.values.end());
    out_.results = std::move(results);
    return std::move(out_);
  }

 private:
  struct OfNode {
    Rows rows;
    std::vector<std::uint32_t> values;  // by row
  };

  std::uint32_t new_value() {
    out_.values.emplace_back();
    return static_cast<std::uint32_t>(out_.values.size() - 1);
  }

  std::uint32_t coefficient(const Rational& x) {
    const auto [it, is_new] =
        known_.try_emplace(x, static_cast<std::uint32_t>(out_.coefficients.size()));
    if (is_new) out_.coefficients.push_back(x);
    return it->second;
  }

  Stop write(NodeId id, std::size_t number) {
    const std::uint32_t value = nodes_[id.index()].values[number];
    const Row row = nodes_[id.index()].rows.row(number);
    out_.values[value].first = static_cast<std::uint32_t>(out_.terms.size());
    Stop stop;
    if (program_.kind(id) == Program::Kind::Variable) {
      out_.values[value].leaf = program_.leaf(id);
      out_.values[value].read = reads_.number(program_.leaf(id), row);
    } else if (program_.kind(id) == Program::Kind::Number) {
      stop = write_number(*program_.graph().node(id).constant(), row);
    } else {
      stop = write_sum(id, row);
    }
    out_.values[value].last = static_cast<std::uint32_t>(out_.terms.size());
    return stop;
  }

  void add_term(const Rational& scale, std::span<const std::uint32_t> factors) {
    const auto first = static_cast<std::uint32_t>(out_.factors.size());
    out_.factors.insert(out_.factors.end(), factors.begin(), factors.end());
    out_.terms.push_back(
        {coefficient(scale), first, static_cast<std::uint32_t>(out_.factors.size())});
  }

  // Has to be one number for the whole box.
  Stop write_number(const Tensor& tensor, Row row) {
    const Shape& shape = tensor.shape();
    Dim low = 0;
    Dim reach = 0;  // how far the positions read lie apart
    const auto strides = row_major_strides(shape);
    std::vector<Dim> flat(width_, 0);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      for (std::size_t i = 0; i < width_; ++i) flat[i] += strides[d] * row[d * width_ + i];
    }
    const auto bounds = box_.bounds(flat);
    low = bounds.first;
    reach = bounds.second - low;
    const auto numbers =
        tensor.floats().subspan(static_cast<std::size_t>(low), static_cast<std::size_t>(reach) + 1);
    const auto* const other = std::find_if(numbers.data(), numbers.data() + numbers.size(),
                                           [&](float x) { return x != numbers[0]; });
    if (other != numbers.data() + numbers.size()) {
      const Decided there = box_.reaches(flat, low + (other - numbers.data()));
      return std::get<Need>(there);
    }
    if (auto taken = steps_.take(); !taken) return taken.error();
    if (numbers[0] != 0) add_term(exact(static_cast<double>(numbers[0])), {});
    return std::nullopt;
  }

  Stop write_sum(NodeId id, Row row) {
    const Meaning& meaning = program_.graph().meaning(id);
    for (const Term& term : meaning.sum.terms) {
      const std::size_t of_output = meaning.sum.out.size();
      axes_.assign((of_output + term.reduce.size()) * width_, 0);
      std::copy(row.begin(), row.end(), axes_.begin());
      if (std::ranges::find(term.reduce, 0) != term.reduce.end()) continue;
      for (bool more = true; more; more = next(term.reduce, of_output)) {
        if (auto taken = steps_.take(); !taken) return taken.error();
        if (auto stop = write_term(id, meaning, term)) return stop;
      }
    }
    return std::nullopt;
  }

  // The next place of the sum, its last axis fastest.
  bool next(const Shape& reduce, std::size_t of_output) {
    for (std::size_t a = reduce.size(); a-- > 0;) {
      Dim& at = axes_[(of_output + a) * width_];
      if (++at < reduce[a]) return true;
      at = 0;
    }
    return false;
  }

  Stop write_term(NodeId id, const Meaning& meaning, const Term& term) {
    for (const Guard& guard : term.guards) {
      const auto holds = holds_everywhere(guard);
      if (const Need* need = std::get_if<Need>(&holds)) return *need;
      if (!std::get<bool>(holds)) return std::nullopt;
    }
    scale_ = term.coef.scale;
    for (const AxisTable& table : term.coef.tables) {
      if (auto need = multiply(table)) return *need;
    }
    if (scale_ == 0) return std::nullopt;
    factor_values_.clear();
    for (const Access& access : term.factors) {
      std::optional<std::uint32_t> value;
      if (auto stop = factor(id, meaning, access, value)) return stop;
      if (!value) return std::nullopt;  // outside, where 0 is read
      factor_values_.push_back(*value);
    }
    add_term(scale_, factor_values_);
    return std::nullopt;
  }

  Decided holds_everywhere(const Guard& guard) {
    row_.assign(width_, 0);
    if (auto need = box_.add(guard.expr, axes_, row_)) return *need;
    if (guard.multiple_of != 0) return box_.is_multiple(row_, guard.multiple_of);
    return box_.lies_between(row_, guard.low, guard.high);
  }

  std::optional<Need> multiply(const AxisTable& table) {
    const Row axis =
        std::span<const Dim>(axes_).subspan(static_cast<std::size_t>(table.axis) * width_, width_);
    const auto [low, high] = box_.bounds(axis);
    const Rational& first = table.values[static_cast<std::size_t>(low)];
    for (Dim at = low + 1; at <= high; ++at) {
      if (table.values[static_cast<std::size_t>(at)] == first) continue;
      return std::get<Need>(box_.reaches(axis, at));
    }
    scale_ *= first;
    return std::nullopt;
  }

  // Where the access reads in a tensor of that shape, in `index_`; false: outside.
  Decided locate(const Access& access, const Shape& shape, std::span<const Dim> axes) {
    index_.assign(shape.size() * width_, 0);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const auto at = std::span(index_).subspan(d * width_, width_);
      if (auto need = box_.add(access.index[d], axes, at)) return *need;
      const Decided inside = box_.lies_between(at, 0, shape[d]);
      const bool* is_inside = std::get_if<bool>(&inside);
      if (is_inside == nullptr || !*is_inside) return inside;
    }
    return true;
  }

  // Nothing in `value`: 0 is read.
  Stop factor(NodeId id, const Meaning& meaning, const Access& access,
              std::optional<std::uint32_t>& value) {
    const auto& operands = program_.graph().node(id).operands;
    const auto number = static_cast<std::size_t>(access.operand);
    const bool is_operand = number < operands.size();
    const Shape& shape = is_operand ? *program_.graph().node(operands[number]).type.shape
                                    : meaning.applications[number - operands.size()].out;
    const Decided inside = locate(access, shape, axes_);
    if (const Need* need = std::get_if<Need>(&inside)) return *need;
    if (!std::get<bool>(inside)) return std::nullopt;
    if (!is_operand)
      return apply(id, meaning.applications[number - operands.size()], std::move(index_), value);
    value = ask(operands[number], index_);
    return std::nullopt;
  }

  // A function of single elements of leaves is a leaf itself, whose index is all of theirs.
  Stop apply(NodeId id, const Application& application, std::vector<Dim> at,
             std::optional<std::uint32_t>& value) {
    const auto& operands = program_.graph().node(id).operands;
    std::vector<std::optional<Leaf>> elements;
    std::vector<Dim> index;
    for (const Access& access : application.elements) {
      const NodeId operand = operands[static_cast<std::size_t>(access.operand)];
      const Decided inside = locate(access, *program_.graph().node(operand).type.shape, at);
      if (const Need* need = std::get_if<Need>(&inside)) return *need;
      elements.emplace_back();
      if (!std::get<bool>(inside)) continue;
      elements.back() = program_.leaf(operand);
      index.insert(index.end(), index_.begin(), index_.end());
    }
    const Leaf leaf = program_.leaves().of_function(application, elements);
    value = new_value();
    functions_.push_back(*value);
    out_.values[*value].leaf = leaf;
    out_.values[*value].read = reads_.number(leaf, index);
    return std::nullopt;
  }

  const Program& program_;
  const DigitBox& box_;
  LeafReads& reads_;
  Steps& steps_;
  const std::size_t width_;
  std::vector<OfNode> nodes_;
  std::vector<std::uint32_t> functions_;
  std::map<Rational, std::uint32_t> known_;
  Circuit out_;
  // Of the term that is being written.
  std::vector<Dim> axes_, row_, index_;
  std::vector<std::uint32_t> factor_values_;
  Rational scale_;
};

}  // namespace

Status Steps::take() {
  constexpr std::size_t kBetweenLooks = 4096;
  if (++taken_ > most_) return more_than_steps(most_);
  if (taken_ % kBetweenLooks == 0 && stop_.stop_requested())
    return Error{"stopped before the proof was finished", ErrorKind::Stopped};
  return Done{};
}

Written write_out(const Program& program, NodeId output, const std::vector<std::vector<Dim>>& rows,
                  const DigitBox& box, LeafReads& reads, Steps& steps) {
  Writer writer(program, box, reads, steps);
  std::vector<std::uint32_t> results;
  for (const auto& row : rows) results.push_back(writer.ask(output, row));
  return writer.run(std::move(results));
}

}  // namespace pet::theorem
