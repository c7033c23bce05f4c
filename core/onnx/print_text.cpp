#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include "core/onnx/emit.h"
#include "core/onnx/text.h"

namespace pet {
namespace {

constexpr Dim kMostElements = 64;

std::string number(float value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string type_text(DType dtype, const std::optional<Shape>& shape) {
  const std::string name(to_string(dtype));
  if (!shape) return name + "[]";
  return shape->empty() ? name : name + to_string(*shape);
}

class Printer {
 public:
  explicit Printer(const Graph& graph) : graph_(graph) {
    sheet_.purpose = onnx_io::Purpose::Text;
    sheet_.opset = kCaseOpset;
  }

  std::string print(const std::string& name) {
    const auto inputs = names_of(graph_.inputs(), "in");
    const auto outputs = names_of(graph_.outputs(), "out");
    const auto emitted = onnx_io::emit(graph_, inputs, outputs, "v", sheet_);
    PET_CHECK(emitted.ok(), "everything can be printed");
    std::string comments;
    std::vector<std::string> ins;
    std::vector<std::string> outs;
    std::vector<std::string> constants;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      ins.push_back(declared(graph_.inputs()[i], inputs[i]));
    for (std::size_t i = 0; i < outputs.size(); ++i)
      outs.push_back(declared(graph_.outputs()[i], outputs[i]));
    for (const auto& [digest, value] : sheet_.constants) {
      const Tensor* tensor = find(digest);
      const auto type =
          tensor != nullptr ? type_text(tensor->type().dtype, tensor->type().shape) : std::string();
      const auto literal = tensor != nullptr ? elements(*tensor) : std::nullopt;
      if (tensor == nullptr) continue;
      if (literal) {
        constants.push_back(fmt::format("{} {} = {{{}}}", type, word(value), *literal));
      } else {
        comments += fmt::format("# {} is the constant {}\n", word(value), digest.hex());
        ins.push_back(fmt::format("{} {}", type, word(value)));
      }
    }
    for (const auto& tensor : sheet_.initialisers) {
      if (written_.contains(tensor.name())) continue;
      constants.push_back(integers(tensor));
    }
    std::string body;
    for (const auto& node : sheet_.nodes) body += node_text(node);
    return fmt::format("{}{} ({}) => ({}){} {{\n{}}}\n", comments, word(name), fmt::join(ins, ", "),
                       fmt::join(outs, ", "),
                       constants.empty() ? "" : fmt::format(" <{}>", fmt::join(constants, ", ")),
                       body);
  }

 private:
  std::vector<std::string> names_of(const std::vector<NodeId>& ids, const std::string& otherwise) {
    std::vector<std::string> names;
    for (const NodeId id : ids) {
      const auto& name = graph_.node(id).name;
      names.push_back(sheet_.fresh(name.empty() ? otherwise + std::to_string(names.size()) : name));
    }
    return names;
  }

  std::string declared(NodeId id, const std::string& name) {
    const auto& type = graph_.node(id).type;
    return fmt::format("{} {}", type_text(type.dtype, type.shape), word(name));
  }

  const Tensor* find(const Digest& digest) {
    for (const Node& node : graph_.nodes()) {
      const Tensor* tensor = node.constant();
      if (tensor == nullptr || tensor->digest() != digest) continue;
      written_.insert(sheet_.constants.at(digest));
      return tensor;
    }
    return nullptr;
  }

  static std::optional<std::string> elements(const Tensor& tensor) {
    if (bytes_per_element(tensor.type().dtype) == 0 || count(tensor.shape()) > kMostElements)
      return std::nullopt;
    if (tensor.type().dtype == DType::Int64)
      return fmt::format("{}", fmt::join(tensor.ints(), ", "));
    if (tensor.type().dtype != DType::Float || !tensor.all_finite()) return std::nullopt;
    return fmt::format("{}", fmt::join(tensor.floats(), ", "));
  }

  // Integer operands that only the ONNX form has.
  std::string integers(const ::onnx::TensorProto& tensor) {
    std::vector<std::int64_t> values(tensor.raw_data().size() / sizeof(std::int64_t));
    if (!values.empty())
      std::memcpy(values.data(), tensor.raw_data().data(), tensor.raw_data().size());
    return fmt::format("int64[{}] {} = {{{}}}", values.size(), word(tensor.name()),
                       fmt::join(values, ", "));
  }

  std::string node_text(const ::onnx::NodeProto& node) {
    std::vector<std::string> attributes;
    for (const auto& a : node.attribute())
      attributes.push_back(fmt::format("{} = {}", a.name(), value_text(a)));
    std::vector<std::string> reads;
    for (const auto& name : node.input()) reads.push_back(word(name));
    return fmt::format(
        "  {} = {}{}({})\n", word(node.output(0)), node.op_type(),
        attributes.empty() ? " " : fmt::format(" <{}> ", fmt::join(attributes, ", ")),
        fmt::join(reads, ", "));
  }

  static std::string value_text(const ::onnx::AttributeProto& attribute) {
    switch (attribute.type()) {
      case ::onnx::AttributeProto::INT:
        return std::to_string(attribute.i());
      case ::onnx::AttributeProto::FLOAT:
        return number(attribute.f());
      case ::onnx::AttributeProto::INTS:
        return fmt::format("[{}]", fmt::join(attribute.ints(), ", "));
      default:
        break;
    }
    std::string text = attribute.s();
    std::replace(text.begin(), text.end(), '"', '\'');
    return "\"" + text + "\"";
  }

  // The syntax knows letters, digits and underscores in names.
  std::string word(const std::string& name) {
    const auto [it, is_new] = words_.try_emplace(name);
    if (!is_new) return it->second;
    std::string plain;
    for (const char c : name) {
      const auto byte = static_cast<unsigned char>(c);
      plain += byte < 0x80 && std::isalnum(byte) != 0 ? c : '_';
    }
    if (plain.empty() || std::isdigit(static_cast<unsigned char>(plain.front())) != 0)
      plain = "v" + plain;
    std::string candidate = plain;
    for (std::size_t i = 1; !taken_.insert(candidate).second; ++i)
      candidate = fmt::format("{}_{}", plain, i);
    return it->second = candidate;
  }

  const Graph& graph_;
  onnx_io::Sheet sheet_;
  std::set<std::string> written_;
  std::map<std::string, std::string> words_;
  std::set<std::string> taken_;
};

}  // namespace

std::string to_text(const Graph& graph, const std::string& name) {
  return Printer(graph).print(name);
}

}  // namespace pet
