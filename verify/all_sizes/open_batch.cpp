#include "verify/all_sizes/open_batch.h"

#include <fmt/format.h>

#include <array>

#include "verify/all_sizes/copies.h"

namespace pet::all_sizes {
namespace {

// More of them than a polynomial of kMostDegree has zeros, and one that is far from the others.
constexpr std::array<Dim, 7> kBatches = {2, 3, 4, 5, 6, 7, 64};
constexpr int kMostDegree = 5;

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
    auto copies = copies_of(graphs, kBatches);
    if (!copies) return std::move(copies).error();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (auto same = is_read_alike(all[i].*which, copies->values[i]); !same)
        return std::move(same).error();
    }
    return std::move(copies->outputs);
  }

  // That what it was read as at these sizes is what it is read as at all.
  static Status is_read_alike(const Model& model, const std::vector<Carried>& values) {
    const auto needed = model.graph.needed_by_outputs();
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
                             std::span<EquivalenceChecker* const> engines,
                             const FileProofOptions& options) {
  if (names.empty()) return Error{"the files leave no batch open", ErrorKind::Unsupported};
  const Proof proof(names, read);
  if (auto copies = proof.check_copies(options.proof.stop); !copies) return copies;
  FileProofOptions alone = options;
  alone.proof.in_detail = alone.proof.record_test = false;
  for (const Dim batch : {1, 2}) {
    const auto files = proof.at(batch);
    if (!files) return files.error();
    const Verdict there = prove_files(files->first, files->second, engines, alone);
    if (there.outcome == Outcome::Equivalent) continue;
    return Error{fmt::format("at a batch of {}: {}", batch,
                             there.reason.empty() ? to_string(there.outcome) : there.reason),
                 ErrorKind::Unsupported};
  }
  return Done{};
}

}  // namespace pet::all_sizes
