#include "core/egraph/serialize.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/util/printable.h"

namespace pet::egraph {
namespace {

using Json = nlohmann::json;
using Written = nlohmann::ordered_json;

constexpr std::size_t kMostNodes = 10'000'000;

struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const Json& field(const Json& of, const char* key, const std::string& what) {
  if (!of.is_object() || !of.contains(key))
    throw Malformed(fmt::format("{} has no \"{}\"", what, key));
  return of.at(key);
}

std::string text(const Json& json, const std::string& what) {
  if (!json.is_string()) throw Malformed(what + " is no text");
  return json.get<std::string>();
}

double cost(const Json& json, const std::string& what) {
  const double out = json.is_number() ? json.get<double>() : -1;
  if (!(out >= 0) || !std::isfinite(out))
    throw Malformed(what + " has a cost that is no number from 0 on");
  return out;
}

class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  NamedProblem read() {
    const Json& nodes = field(json_, "nodes", "the e-graph");
    if (!nodes.is_object() || nodes.size() > kMostNodes) throw Malformed("\"nodes\" is no object");
    for (const auto& [name, node] : nodes.items()) add(name, node);
    for (const auto& [name, node] : nodes.items()) link(name, node);
    const Json& roots = field(json_, "root_eclasses", "the e-graph");
    if (!roots.is_array()) throw Malformed("\"root_eclasses\" is no list");
    for (const Json& root : roots) {
      const std::string name = text(root, "a root");
      const auto it = classes_.find(name);
      if (it == classes_.end())
        throw Malformed(fmt::format("root {} is no class", printable(name)));
      out_.problem.roots.push_back(it->second);
    }
    return std::move(out_);
  }

 private:
  void add(const std::string& name, const Json& node) {
    const std::string what = "node " + printable(name);
    const std::string home = text(field(node, "eclass", what), "the class of " + what);
    const auto [it, is_new] = classes_.emplace(home, static_cast<Number>(classes_.size()));
    if (is_new) {
      out_.classes.push_back(home);
      out_.problem.classes.emplace_back();
    }
    const auto number = static_cast<Number>(out_.nodes.size());
    nodes_.emplace(name, std::pair(number, it->second));
    out_.problem.classes[it->second].push_back(number);
    out_.problem.nodes.push_back({cost(field(node, "cost", what), what), {}});
    out_.nodes.push_back(name);
    out_.operators.push_back(text(field(node, "op", what), "the operator of " + what));
  }

  void link(const std::string& name, const Json& node) {
    const std::string what = "node " + printable(name);
    const Json& children = field(node, "children", what);
    if (!children.is_array()) throw Malformed(what + " has children that are no list");
    for (const Json& child : children) {
      const std::string of = text(child, "a child of " + what);
      const auto it = nodes_.find(of);
      if (it == nodes_.end())
        throw Malformed(fmt::format("{} has a child {} that is missing", what, printable(of)));
      out_.problem.nodes[nodes_.at(name).first].children.push_back(it->second.second);
    }
  }

  const Json& json_;
  NamedProblem out_;
  std::map<std::string, Number> classes_;
  std::map<std::string, std::pair<Number, Number>> nodes_;  // number and class
};

}  // namespace

Result<NamedProblem> parse_egraph(const std::string& text, const std::string& where) {
  const auto wrong = [&](const std::string& what) {
    return Error{fmt::format("{}: {}", printable(where), what), ErrorKind::Malformed};
  };
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return wrong("this is no JSON");
  try {
    NamedProblem out = Reader(json).read();
    if (auto checked = check(out.problem); !checked) {
      for (Number i = 0; i < out.classes.size(); ++i) {
        // check() knows numbers alone.
        const std::string number = fmt::format("class {} ", i);
        if (checked.error().message.starts_with(number))
          return wrong(fmt::format("class {} {}", printable(out.classes[i]),
                                   checked.error().message.substr(number.size())));
      }
      return wrong(checked.error().message);
    }
    return out;
  } catch (const Malformed& error) {
    return wrong(error.what());
  } catch (const Json::exception& error) {
    return wrong(printable(error.what()));
  }
}

Result<NamedProblem> read_egraph(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  if (!in || !(text << in.rdbuf()))
    return Error{fmt::format("{}: cannot be read", printable(path.string())), ErrorKind::Malformed};
  return parse_egraph(text.str(), path.string());
}

std::string write_egraph(const NamedProblem& named) {
  Written nodes = Written::object();
  const Problem& problem = named.problem;
  for (Number number = 0; number < problem.classes.size(); ++number) {
    for (const Number node : problem.classes[number]) {
      Written children = Written::array();
      // A child is a class, named by any of its nodes.
      for (const Number child : problem.nodes[node].children)
        children.push_back(named.nodes[problem.classes[child].front()]);
      nodes[named.nodes[node]] = {{"op", named.operators[node]},
                                  {"cost", problem.nodes[node].cost},
                                  {"eclass", named.classes[number]},
                                  {"children", std::move(children)}};
    }
  }
  Written roots = Written::array();
  for (const Number root : problem.roots) roots.push_back(named.classes[root]);
  return Written{{"nodes", std::move(nodes)}, {"root_eclasses", std::move(roots)}}.dump(1) + "\n";
}

NamedProblem named(const Program& program, const Extraction& extraction) {
  NamedProblem out;
  out.problem = extraction.problem;
  for (const ENodeId node : extraction.nodes) {
    const Operator& what = program.graph.what(node);
    const std::string& name = program.graph.at(program.graph.class_of(node)).name;
    out.nodes.push_back(fmt::format("n{}", node.index()));
    out.operators.push_back(what.op() != nullptr      ? to_string(*what.op())
                            : what.input() != nullptr ? "input " + what.input()->name
                                                      : "constant " + name);
  }
  for (const ClassId id : extraction.classes) {
    const std::string& name = program.graph.at(id).name;
    out.classes.push_back(name.empty() ? fmt::format("c{}", id.index())
                                       : fmt::format("c{} {}", id.index(), name));
  }
  return out;
}

std::string as_graphviz(const NamedProblem& named, const Choice& choice) {
  const auto quoted = [](const std::string& text) {
    return Written(text).dump(-1, ' ', true, Written::error_handler_t::replace);
  };
  std::string out = "digraph e {\n  compound=true; node [shape=box, fontname=\"sans-serif\"];\n";
  const Problem& problem = named.problem;
  for (Number number = 0; number < problem.classes.size(); ++number) {
    out += fmt::format("  subgraph cluster_{} {{ style=dotted; label={};\n", number,
                       quoted(named.classes[number]));
    for (const Number node : problem.classes[number])
      out += fmt::format(
          "    n{} [label={}{}];\n", node,
          quoted(fmt::format("{}\n{:.3g}", named.operators[node], problem.nodes[node].cost)),
          choice[number] == node ? ", style=bold, penwidth=2" : "");
    out += "  }\n";
  }
  for (Number number = 0; number < problem.classes.size(); ++number)
    for (const Number node : problem.classes[number])
      for (const Number child : problem.nodes[node].children)
        if (!problem.classes[child].empty())
          out += fmt::format("  n{} -> n{} [lhead=cluster_{}];\n", node,
                             problem.classes[child].front(), child);
  return out + "}\n";
}

}  // namespace pet::egraph
