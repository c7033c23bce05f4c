#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include "core/onnx/emit.h"
#include "core/onnx/text.h"
#include "core/util/printable.h"

namespace pet {
namespace {

constexpr Dim kMostElements = 64;
constexpr Dim kMostElementsOfCase = Dim{1} << 18;

std::string number(float value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string type_text(DType dtype, const std::optional<Shape>& shape) {
  const std::string name(to_string(dtype));
  if (!shape) return name + "[]";
  return shape->empty() ? name : name + to_string(*shape);
}

// The syntax knows letters, digits and underscores in names.
class Words {
 public:
  // The same for the same name, another one for another.
  std::string of(const std::string& name) {
    const auto [it, is_new] = words_.try_emplace(name);
    if (!is_new) return it->second;
    std::string plain;
    for (const char c : name) {
      const auto byte = static_cast<unsigned char>(c);
      plain += byte < 0x80 && std::isalnum(byte) != 0 ? c : '_';
    }
    if (plain.empty() || std::isdigit(static_cast<unsigned char>(plain.front())) != 0)
      plain = "v" + plain;
    return it->second = fresh(plain);
  }

  // One that nothing has.
  std::string fresh(const std::string& plain) {
    std::string candidate = plain;
    for (std::size_t i = 1; !taken_.insert(candidate).second; ++i)
      candidate = fmt::format("{}_{}", plain, i);
    return candidate;
  }

 private:
  std::map<std::string, std::string> words_;
  std::set<std::string> taken_;
};

bool has_literal(const Tensor& tensor, Dim most) {
  if (bytes_per_element(tensor.type().dtype) == 0 || count(tensor.shape()) > most) return false;
  if (tensor.type().dtype == DType::Int64) return true;
  return tensor.type().dtype == DType::Float && tensor.all_finite();
}

// REQUIRES: has_literal()
std::string literal(const Tensor& tensor) {
  if (tensor.type().dtype == DType::Int64) return fmt::format("{}", fmt::join(tensor.ints(), ", "));
  return fmt::format("{}", fmt::join(tensor.floats(), ", "));
}

// Of an operand that only the ONNX form has: integers, or floats that are all alike.
template <class T>
std::string raw_literal(const ::onnx::TensorProto& tensor) {
  std::vector<T> values(tensor.raw_data().size() / sizeof(T));
  if (!values.empty())
    std::memcpy(values.data(), tensor.raw_data().data(), tensor.raw_data().size());
  return fmt::format("{}", fmt::join(values, ", "));
}

// As it is shown to people.
struct Style {
  int opset = kCaseOpset;
  Dim most_elements = kMostElements;  // of a constant
  std::vector<std::string> inputs;    // what they are called; empty: by their own names
  std::vector<std::string> outputs;
};

class Printer {
 public:
  Printer(const Graph& graph, Style style) : graph_(graph), style_(std::move(style)) {
    sheet_.purpose = onnx_io::Purpose::Text;
    sheet_.opset = style_.opset;
  }

  std::string print(const std::string& name) {
    const std::string title = word(name);
    const auto inputs = names_of(graph_.inputs(), style_.inputs, "in");
    const auto outputs = names_of(graph_.outputs(), style_.outputs, "out");
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
      if (tensor == nullptr) continue;
      if (has_literal(*tensor, style_.most_elements)) {
        constants.push_back(fmt::format("{} {} = {{{}}}", type, word(value), literal(*tensor)));
      } else {
        comments += fmt::format("# {} is the constant {}\n", word(value), digest.hex());
        ins.push_back(fmt::format("{} {}", type, word(value)));
      }
    }
    for (const auto& tensor : sheet_.initialisers) {
      if (written_.contains(tensor.name())) continue;
      constants.push_back(operand(tensor));
    }
    std::string body;
    for (const auto& node : sheet_.nodes) body += node_text(node);
    return fmt::format("{}{} ({}) => ({}){} {{\n{}}}\n", comments, title, fmt::join(ins, ", "),
                       fmt::join(outs, ", "),
                       constants.empty() ? "" : fmt::format(" <{}>", fmt::join(constants, ", ")),
                       body);
  }

 private:
  std::vector<std::string> names_of(const std::vector<NodeId>& ids,
                                    const std::vector<std::string>& given,
                                    const std::string& otherwise) {
    std::vector<std::string> names;
    for (const NodeId id : ids) {
      const std::size_t place = names.size();
      const auto& name = given.empty() ? graph_.node(id).name : given[place];
      names.push_back(sheet_.fresh(name.empty() ? otherwise + std::to_string(place) : name));
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

  static DType type_of(const ::onnx::TensorProto& tensor) {
    return static_cast<DType>(tensor.data_type());
  }

  std::string operand(const ::onnx::TensorProto& tensor) {
    const std::string values = type_of(tensor) == DType::Float ? raw_literal<float>(tensor)
                                                               : raw_literal<std::int64_t>(tensor);
    const Shape shape(tensor.dims().begin(), tensor.dims().end());
    return fmt::format("{} {} = {{{}}}", type_text(type_of(tensor), shape), word(tensor.name()),
                       values);
  }

  std::string node_text(const ::onnx::NodeProto& node) {
    std::vector<std::string> attributes;
    for (const auto& a : node.attribute())
      attributes.push_back(fmt::format("{} = {}", a.name(), value_text(a)));
    std::vector<std::string> reads;
    for (const auto& name : node.input()) reads.push_back(word(name));
    std::vector<std::string> makes;
    for (const auto& name : node.output()) makes.push_back(word(name));
    return fmt::format(
        "  {} = {}{}({})\n", fmt::join(makes, ", "), node.op_type(),
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

  std::string word(const std::string& name) { return words_.of(name); }

  const Graph& graph_;
  const Style style_;
  onnx_io::Sheet sheet_;
  std::set<std::string> written_;
  Words words_;
};

// Whether a case can hold it, in that operator set.
Status check_words(const Graph& graph, int opset) {
  const auto needed = graph.needed_by_outputs();
  for (const NodeId id : graph.ids()) {
    const Node& node = graph.node(id);
    if (node.input() != nullptr && (!node.type.shape || node.type.dtype == DType::Undefined))
      return Error{fmt::format("the type of {} is not known", printable(node.name)),
                   ErrorKind::Unsupported};
    if (needed[id.index()] == 0 || node.input() != nullptr) continue;
    if (node.constant() != nullptr) {
      if (has_literal(*node.constant(), kMostElementsOfCase)) continue;
      return Error{fmt::format("a constant of type {} cannot be written out", to_string(node.type)),
                   ErrorKind::Unsupported};
    }
    if (!graph.has_meaning(id))
      return Error{fmt::format("{} has no meaning of ours", to_string(*node.op())),
                   ErrorKind::Unsupported};
    if (auto form = emit_call(*node.op(), graph.operand_shapes(id), opset); !form)
      return std::move(form).error();
  }
  return Done{};
}

Result<int> opset_of(const Graph& original, const Graph& mutant) {
  std::optional<Error> first;
  for (int opset = kCaseOpset; opset <= kNewestOpset; ++opset) {
    auto fits = check_words(original, opset);
    if (fits) fits = check_words(mutant, opset);
    if (fits) return opset;
    if (!first) first = std::move(fits).error();
  }
  return *std::move(first);
}

}  // namespace

std::string to_text(const Graph& graph, const std::string& name) {
  return Printer(graph, {}).print(name);
}

Result<std::string> to_case_text(const Graph& original, const Graph& mutant) {
  const auto opset = opset_of(original, mutant);
  if (!opset) return opset.error();
  Words words;
  for (const char* title : {"original", "mutant"}) static_cast<void>(words.fresh(title));
  const auto style_of = [&](const Graph& graph) {
    Style style{*opset, kMostElementsOfCase, {}, {}};
    for (const NodeId id : graph.inputs())
      style.inputs.push_back(words.of(graph.node(id).input()->name));
    return style;
  };
  Style of_original = style_of(original);
  Style of_mutant = style_of(mutant);
  for (std::size_t i = 0; i < std::max(original.outputs().size(), mutant.outputs().size()); ++i) {
    const std::string name = words.fresh(fmt::format("y{}", i));
    if (i < original.outputs().size()) of_original.outputs.push_back(name);
    if (i < mutant.outputs().size()) of_mutant.outputs.push_back(name);
  }
  return (*opset == kCaseOpset ? "" : fmt::format("# opset: {}\n", *opset)) +
         Printer(original, std::move(of_original)).print("original") +
         Printer(mutant, std::move(of_mutant)).print("mutant");
}

}  // namespace pet
