// E-graphs as files have them: the JSON of egraph-serialize, which the extraction gym reads.
#pragma once

#include <filesystem>
#include <string>

#include "core/egraph/costs.h"

namespace pet::egraph {

// A problem and what its numbers are called.
struct NamedProblem {
  Problem problem;
  std::vector<std::string> nodes, operators;  // by node
  std::vector<std::string> classes;           // by class
};

// An Error names the file, and the node or class that is wrong: a child that is missing, a cost
// that is none, no root, no choice without a cycle.
Result<NamedProblem> read_egraph(const std::filesystem::path& path);
Result<NamedProblem> parse_egraph(const std::string& text, const std::string& where);

std::string write_egraph(const NamedProblem& problem);

// An e-graph of ours with names for people: classes by the values of the original where they have
// one.
NamedProblem named(const Program& program, const Extraction& extraction);

// For Graphviz: a dotted box a class, its nodes in it, those of a choice bold.
std::string as_graphviz(const NamedProblem& named, const Choice& choice);

}  // namespace pet::egraph
