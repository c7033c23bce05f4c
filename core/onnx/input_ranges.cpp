#include "core/onnx/input_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "core/onnx/parsed_file.h"
#include "core/util/printable.h"

namespace pet {
namespace {

enum class Admits {
  IndexOfAxis,     // of the node's first operand, along its attribute `axis`
  IndexOfAnyAxis,  // of the first operand, whichever of its axes is meant
  IndexOfDepth,    // below the node's second operand
  Positive,        // any number away from zero would do for some; positive ones do for all
  Base,            // of a power: positive unless the exponent is a whole number
  FromMinusOneToOne,
  FromOne,
  Count,  // how often or how many: once is always right
  Shape,  // extents, bounds: nothing that can be drawn
};

struct Reader {
  std::string_view op;
  int operand;
  Admits admits;
};

// Every operator of ONNX that does not take every value of its operand's type. Those whose operand
// has a definition here stand in it too: behind a node that we do not understand they are opaque.
constexpr std::array kReaders = std::to_array<Reader>({
    {"Gather", 1, Admits::IndexOfAxis},
    {"GatherElements", 1, Admits::IndexOfAxis},
    {"ScatterElements", 1, Admits::IndexOfAxis},
    {"GatherND", 1, Admits::IndexOfAnyAxis},
    {"ScatterND", 1, Admits::IndexOfAnyAxis},
    {"OneHot", 0, Admits::IndexOfDepth},
    {"Sqrt", 0, Admits::Positive},
    {"Reciprocal", 0, Admits::Positive},
    {"Log", 0, Admits::Positive},
    {"ReduceLogSum", 0, Admits::Positive},
    {"Div", 1, Admits::Positive},
    {"Mod", 1, Admits::Positive},
    {"Pow", 0, Admits::Base},
    {"Tan", 0, Admits::FromMinusOneToOne},
    {"Acos", 0, Admits::FromMinusOneToOne},
    {"Asin", 0, Admits::FromMinusOneToOne},
    {"Atanh", 0, Admits::FromMinusOneToOne},
    {"Acosh", 0, Admits::FromOne},
    {"TopK", 1, Admits::Count},
    {"Loop", 0, Admits::Count},
    {"CumSum", 1, Admits::Count},
    {"Reshape", 1, Admits::Shape},
    {"Expand", 1, Admits::Shape},
    {"ConstantOfShape", 0, Admits::Shape},
    {"Tile", 1, Admits::Shape},
    {"Pad", 1, Admits::Shape},
    {"Slice", 1, Admits::Shape},
    {"Slice", 2, Admits::Shape},
    {"Slice", 3, Admits::Shape},
    {"Slice", 4, Admits::Shape},
    {"Squeeze", 1, Admits::Shape},
    {"Unsqueeze", 1, Admits::Shape},
    {"Split", 1, Admits::Shape},
    {"Resize", 2, Admits::Shape},
    {"Resize", 3, Admits::Shape},
    {"Range", 0, Admits::Shape},
    {"Range", 1, Admits::Shape},
    {"Range", 2, Admits::Shape},
});

// Operators whose results are elements of their first operand (of all of them: Concat), perhaps
// converted.
constexpr std::array<std::string_view, 13> kMovers = {
    "Cast",    "Concat", "Dropout", "Expand",  "Flatten",   "Gather",   "Identity",
    "Reshape", "Slice",  "Split",   "Squeeze", "Transpose", "Unsqueeze"};

// A demand on an input, and who makes it.
struct Demand {
  ValueRange range;
  std::string by;
};

class Demands {
 public:
  Demands(const Model& model, const std::map<std::string, ValueRange>& said)
      : model_(model), said_(said) {}

  Result<std::map<std::string, ValueRange>> run() {
    for (const ModelInput& input : model_.inputs) reaches_[input.name] = {&input};
    // The nodes of a file are sorted: what an operand may come from is known before its reader.
    for (const auto& node : model_.file->proto.graph().node()) {
      if (!node.domain().empty() && node.domain() != "ai.onnx") continue;
      for (const Reader& reader : kReaders) {
        if (reader.op != node.op_type() || reader.operand >= node.input_size()) continue;
        if (auto status = demand(node, reader); !status) return std::move(status).error();
      }
      pass_on(node);
    }
    std::map<std::string, ValueRange> out = said_;
    for (const auto& [name, made] : demands_) out.emplace(name, made.range);
    return out;
  }

 private:
  void pass_on(const ::onnx::NodeProto& node) {
    if (std::ranges::find(kMovers, node.op_type()) == kMovers.end()) return;
    std::vector<const ModelInput*> from;
    for (int i = 0; i < (node.op_type() == "Concat" ? node.input_size() : 1); ++i) {
      const auto it = i < node.input_size() ? reaches_.find(node.input(i)) : reaches_.end();
      if (it != reaches_.end()) from.insert(from.end(), it->second.begin(), it->second.end());
    }
    if (from.empty()) return;
    for (const auto& name : node.output()) reaches_[name] = from;
  }

  Status demand(const ::onnx::NodeProto& node, const Reader& reader) {
    const auto it = reaches_.find(node.input(reader.operand));
    if (it == reaches_.end()) return Done{};
    for (const ModelInput* input : it->second) {
      if (said_.contains(input->name)) continue;
      const std::string by = fmt::format("node '{}' ({})", printable(node.name()), node.op_type());
      const auto range = range_of(node, reader, *input);
      if (!range) {
        return Error{fmt::format("input {}: no values can be drawn at random for what {} reads as "
                                 "{}",
                                 printable(input->name), by,
                                 reader.admits == Admits::Shape ? "a shape or a bound"
                                                                : "an index into nothing"),
                     ErrorKind::Unsupported};
      }
      Demand& all = demands_[input->name];
      const ValueRange both{std::max(all.range.low, range->low),
                            std::min(all.range.high, range->high)};
      if (both.low > both.high) {
        return Error{fmt::format("input {}: {} and {} admit no common value",
                                 printable(input->name), all.by, by),
                     ErrorKind::Unsupported};
      }
      all = {both, by};
    }
    return Done{};
  }

  std::optional<ValueRange> range_of(const ::onnx::NodeProto& node, const Reader& reader,
                                     const ModelInput& input) const {
    switch (reader.admits) {
      case Admits::IndexOfAxis:
        return below(extent(node, axis_of(node)));
      case Admits::IndexOfAnyAxis:
        return below(extent(node, std::nullopt));
      case Admits::IndexOfDepth:
        return below(depth(node));
      case Admits::Base:
        if (has_whole_exponent(node)) return ValueRange{};
        [[fallthrough]];
      case Admits::Positive:
        if (input.type.dtype == DType::Float || input.type.dtype == DType::Double)
          return ValueRange{.low = 0.01};
        return ValueRange{1, 3};
      case Admits::FromMinusOneToOne:
        return ValueRange{-0.99, 0.99};
      case Admits::FromOne:
        return ValueRange{.low = 1};
      case Admits::Count:
        return ValueRange{1, 1};
      case Admits::Shape:
        break;
    }
    return std::nullopt;
  }

  static std::optional<ValueRange> below(Dim extent) {
    if (extent <= 0) return std::nullopt;
    return ValueRange{0, static_cast<double>(extent - 1)};
  }

  static Dim axis_of(const ::onnx::NodeProto& node) {
    for (const auto& attribute : node.attribute()) {
      if (attribute.name() == "axis") return attribute.i();
    }
    return 0;
  }

  // The length of an axis of the first operand, or of its shortest. 1 where it is not known: index
  // 0 is in range wherever any is.
  Dim extent(const ::onnx::NodeProto& node, std::optional<Dim> axis) const {
    const auto id = model_.values.find(node.input(0));
    if (id == model_.values.end()) return 1;
    const auto& shape = model_.graph.node(id->second).type.shape;
    if (!shape || shape->empty()) return 1;
    if (!axis) return *std::min_element(shape->begin(), shape->end());
    const Dim rank = static_cast<Dim>(shape->size());
    const Dim at = *axis < 0 ? *axis + rank : *axis;
    return at >= 0 && at < rank ? (*shape)[static_cast<std::size_t>(at)] : 1;
  }

  Dim depth(const ::onnx::NodeProto& node) const {
    constexpr double kMost = 1e15;  // a double still tells whole numbers apart
    const double depth = second_operand(node).value_or(1);
    return depth >= 1 ? static_cast<Dim>(std::min(depth, kMost)) : 0;
  }

  bool has_whole_exponent(const ::onnx::NodeProto& node) const {
    const auto exponent = second_operand(node);
    return exponent && *exponent >= 0 && *exponent == std::floor(*exponent);
  }

  // Its value where it is one constant number.
  std::optional<double> second_operand(const ::onnx::NodeProto& node) const {
    if (node.input_size() < 2) return std::nullopt;
    const auto id = model_.values.find(node.input(1));
    if (id == model_.values.end()) return std::nullopt;
    const Tensor* tensor = model_.graph.node(id->second).constant();
    if (tensor == nullptr || count(tensor->shape()) != 1) return std::nullopt;
    if (tensor->type().dtype == DType::Int64) return static_cast<double>(tensor->ints()[0]);
    if (tensor->type().dtype == DType::Float) return tensor->floats()[0];
    if (tensor->type().dtype != DType::Int32) return std::nullopt;
    std::int32_t value = 1;
    std::memcpy(&value, tensor->bytes().data(), sizeof value);
    return value;
  }

  const Model& model_;
  const std::map<std::string, ValueRange>& said_;
  std::map<std::string, std::vector<const ModelInput*>>
      reaches_;  // by value: whose elements it has
  std::map<std::string, Demand> demands_;
};

}  // namespace

Result<std::map<std::string, ValueRange>> input_ranges(
    const Model& model, const std::map<std::string, ValueRange>& said) {
  return Demands(model, said).run();
}

}  // namespace pet
