#include "verify/all_sizes/open_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/ir/needed.h"
#include "verify/all_sizes/copies.h"

namespace pet::all_sizes {
namespace {

// A number that the file computes stands for an extent as it is, or as 0 or -1 where a Reshape
// finds it out. A polynomial of degree 2 that is neither of these for good is each of them twice at
// most, so that at three of seven batches and more it is the extent: at more than it has in common
// with another polynomial of that degree. One batch is far from the others.
constexpr std::array<Dim, 7> kBatches = {2, 3, 4, 5, 6, 7, 64};
constexpr int kMostDegree = 2;

using Pair = std::pair<Model, Model>;

class Proof {
 public:
  Proof(const std::vector<std::string>& names, const ReadAt& read) : names_(names), read_(read) {}

  Result<Pair> at(Dim batch) const {
    std::map<std::string, Dim> sizes;
    for (const std::string& name : names_) sizes[name] = batch;
    auto files = read_(sizes);
    if (!files) return std::move(files).error().within(fmt::format("at a batch of {}", batch));
    return files;
  }

  // That each of the two programs is so many copies of one.
  Status check_copies(const std::stop_token& stop) const {
    std::vector<Pair> all;
    for (const Dim batch : kBatches) {
      if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      auto files = at(batch);
      if (!files) return std::move(files).error();
      all.push_back(*std::move(files));
    }
    const auto original = carried(all, &Pair::first);
    if (!original) return Error(original.error()).within("the first program");
    const auto mutant = carried(all, &Pair::second);
    if (!mutant) return Error(mutant.error()).within("the second program");
    if (*original == *mutant) return Done{};
    return Error{"the outputs of the two have their copies along different axes",
                 ErrorKind::Unsupported};
  }

 private:
  // How outputs are carried.
  static Result<std::vector<Carried>> carried(const std::vector<Pair>& all, Model Pair::*which) {
    std::vector<const Graph*> graphs;
    for (const Pair& pair : all) graphs.push_back(&(pair.*which).graph);
    const auto measured = measured_values(all, which);
    if (!measured) return measured.error();
    auto copies = copies_of(graphs, kBatches, *measured);
    if (!copies) return std::move(copies).error();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (auto same = is_read_alike(all[i].*which, copies->values[i], *measured, i); !same)
        return std::move(same).error();
    }
    return std::move(copies->outputs);
  }

  // Values whose extents the file computes with, where anything that an output needs was read by
  // such numbers: whether these follow the batch is seen nowhere else. At every batch.
  static Result<std::vector<std::vector<NodeId>>> measured_values(const std::vector<Pair>& all,
                                                                  Model Pair::*which) {
    std::vector<std::vector<NodeId>> out;
    const auto computes = [&](const Pair& pair) { return computes_with_sizes(pair.*which); };
    if (std::ranges::none_of(all, computes)) return out;
    for (const std::string& name : (all.front().*which).measured) {
      std::vector<NodeId>& value = out.emplace_back();
      for (const Pair& pair : all) {
        const auto it = (pair.*which).values.find(name);
        if (it == (pair.*which).values.end())
          return Error{"it has other operators at other sizes", ErrorKind::Unsupported};
        value.push_back(it->second);
      }
    }
    return out;
  }

  static bool computes_with_sizes(const Model& model) {
    const auto needed = model.graph.needed_by_outputs();
    return std::ranges::any_of(model.graph.ids(), [&](NodeId id) {
      return needed[id.index()] != 0 && model.readings[id.index()].computed != 0;
    });
  }

  // That what it was read as at these sizes is what it is read as at all.
  static Status is_read_alike(const Model& model, const std::vector<Carried>& values,
                              const std::vector<std::vector<NodeId>>& measured, std::size_t i) {
    std::vector<char> seeds(model.graph.nodes().size(), 0);
    for (const NodeId id : model.graph.outputs()) seeds[id.index()] = 1;
    for (const auto& value : measured) seeds[value[i].index()] = 1;
    const auto needed = needed_by(model.graph, std::move(seeds));
    for (const NodeId id : model.graph.ids()) {
      if (needed[id.index()] == 0) continue;
      const Node& node = model.graph.node(id);
      const Reading& reading = model.readings[id.index()];
      bool follows = reading.computed && *reading.computed <= kMostDegree;
      const bool by_formula = node.op() != nullptr && node.op()->def->reads_by_formula;
      if (!by_formula) {
        follows = follows && (node.op() == nullptr || *reading.computed == 0);
        for (const auto& [value, axis] : reading.extents)
          follows = follows && values[value.index()].axis != static_cast<int>(axis);
      }
      if (follows) continue;
      return Error{fmt::format("{} may be read as something else at other sizes",
                               node.op() == nullptr ? "a constant that the file computes"
                                                    : node.op()->def->name),
                   ErrorKind::Unsupported};
    }
    return Done{};
  }

  const std::vector<std::string>& names_;
  const ReadAt& read_;
};

}  // namespace

Status prove_for_all_batches(const std::vector<std::string>& names, const ReadAt& read,
                             std::span<Engine* const> engines, const FileProofOptions& options) {
  if (names.empty()) return Error{"the files leave no batch open", ErrorKind::Unsupported};
  const Proof proof(names, read);
  if (auto copies = proof.check_copies(options.proof.stop); !copies) return copies;
  FileProofOptions alone = options;
  alone.proof.in_detail = alone.proof.record_test = false;
  for (const Dim batch : {1, 2}) {
    const auto files = proof.at(batch);
    if (!files) return files.error();
    const FileVerdict there = prove_files(files->first, files->second, engines, alone);
    if (there.outcome == Outcome::Equivalent) continue;
    return Error{fmt::format("at a batch of {}: {}", batch,
                             there.reason.empty() ? to_string(there.outcome) : there.reason),
                 ErrorKind::Unsupported};
  }
  return Done{};
}

}  // namespace pet::all_sizes
