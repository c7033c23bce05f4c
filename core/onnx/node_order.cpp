#include "core/onnx/node_order.h"

#include <queue>
#include <set>

namespace pet::onnx_io {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;

// Nested graphs as deep as their reader lets them be.
void note_read(const NodeProto& node, const std::map<std::string, std::size_t>& makers,
               std::set<std::size_t>& out) {
  for (const auto& name : node.input())
    if (const auto maker = makers.find(name); maker != makers.end()) out.insert(maker->second);
  const auto note_graph = [&](const GraphProto& graph) {
    for (const NodeProto& inner : graph.node()) note_read(inner, makers, out);
    for (const auto& output : graph.output())
      if (const auto maker = makers.find(output.name()); maker != makers.end())
        out.insert(maker->second);
  };
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) note_graph(attribute.g());
    for (const GraphProto& graph : attribute.graphs()) note_graph(graph);
  }
}

}  // namespace

std::vector<std::size_t> reading_order(const GraphProto& graph,
                                       const std::map<std::string, std::size_t>& makers) {
  const auto number = static_cast<std::size_t>(graph.node_size());
  std::vector<std::vector<std::size_t>> readers(number);
  std::vector<std::size_t> waits_for(number, 0);
  for (std::size_t i = 0; i < number; ++i) {
    std::set<std::size_t> read;
    note_read(graph.node(static_cast<int>(i)), makers, read);
    for (const std::size_t maker : read) readers[maker].push_back(i);
    waits_for[i] = read.size();
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < number; ++i)
    if (waits_for[i] == 0) ready.push(i);
  std::vector<std::size_t> out;
  std::vector<char> is_done(number, 0);
  while (!ready.empty()) {
    const std::size_t next = ready.top();
    ready.pop();
    out.push_back(next);
    is_done[next] = 1;
    for (const std::size_t reader : readers[next])
      if (--waits_for[reader] == 0) ready.push(reader);
  }
  for (std::size_t i = 0; i < number; ++i)
    if (is_done[i] == 0) out.push_back(i);
  return out;
}

}  // namespace pet::onnx_io
