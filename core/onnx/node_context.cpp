#include "core/onnx/node_context.h"

namespace pet::onnx_io {

using ::onnx::NodeProto;
using ::onnx::TypeProto;

Rules rules_of(const NodeProto& node, const OpsetTable& opsets) {
  const std::string domain = plain_domain(node.domain());
  const auto imported = opsets.find(domain);
  if (imported == opsets.end()) return {};
  const auto& known = ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const auto range = known.find(domain);
  if (range == known.end()) return {};
  const bool is_known = imported->second <= range->second.second;
  const int version = is_known ? static_cast<int>(imported->second) : range->second.second;
  return {::onnx::OpSchemaRegistry::Schema(node.op_type(), version, domain), is_known};
}

// A nested graph, as the rules of its node ask for it.
class NodeContext::NestedGraph final : public ::onnx::GraphInferencer {
 public:
  NestedGraph(std::function<Types(const Types&)> read) : read_(std::move(read)) {}
  std::vector<const TypeProto*> doInferencing(
      const std::vector<const TypeProto*>& inputs,
      const std::vector<const ::onnx::TensorProto*>& /*numbers*/) override {
    Types given;
    for (const TypeProto* one : inputs)
      given.push_back(one == nullptr ? std::nullopt : without_shapes(*one));
    results_ = read_(given);
    std::vector<const TypeProto*> out;
    for (const auto& one : results_) out.push_back(one ? &*one : &kOpen);
    return out;
  }

 private:
  static inline const TypeProto kOpen;
  std::function<Types(const Types&)> read_;
  Types results_;
};

NodeContext::NodeContext(const NodeProto& node, const Types& operands, Numbers numbers,
                         ReadNested read)
    : operands_(operands),
      numbers_(std::move(numbers)),
      results_(static_cast<std::size_t>(node.output_size())) {
  for (const auto& attribute : node.attribute()) {
    attributes_[attribute.name()] = &attribute;
    if (!attribute.has_g() || !read) continue;
    const ::onnx::GraphProto* graph = &attribute.g();
    nested_.emplace(attribute.name(),
                    std::make_shared<NestedGraph>(
                        [read, graph](const Types& given) { return read(*graph, given); }));
  }
}

Types NodeContext::results() const {
  Types out;
  for (const TypeProto& one : results_) {
    out.emplace_back();
    if (one.value_case() != TypeProto::VALUE_NOT_SET) out.back() = one;
  }
  return out;
}

const ::onnx::AttributeProto* NodeContext::getAttribute(const std::string& name) const {
  const auto at = attributes_.find(name);
  return at == attributes_.end() ? nullptr : at->second;
}

const TypeProto* NodeContext::getInputType(std::size_t at) const {
  const auto& type = operands_.at(at);
  return type ? &*type : nullptr;
}

const ::onnx::TensorProto* NodeContext::getInputData(std::size_t at) const {
  return at < numbers_.size() ? numbers_[at].get() : nullptr;
}

::onnx::GraphInferencer* NodeContext::getGraphAttributeInferencer(const std::string& name) {
  const auto at = nested_.find(name);
  return at == nested_.end() ? nullptr : at->second.get();
}

}  // namespace pet::onnx_io
