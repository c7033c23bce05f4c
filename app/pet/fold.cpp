#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "app/common/files.h"
#include "app/common/machine.h"
#include "app/common/progress.h"
#include "app/common/shape_flags.h"
#include "app/pet/commands.h"
#include "app/pet/stopping.h"
#include "core/backend/scratch_folder.h"
#include "core/onnx/export.h"
#include "core/onnx/inventory.h"
#include "core/onnx/read_again.h"
#include "core/onnx/weight_programs.h"
#include "core/ops/ops.h"
#include "core/program/constant_folder.h"
#include "core/program/fold_affine.h"
#include "core/program/subprogram.h"
#include "core/util/name_pattern.h"
#include "core/util/printable.h"
#include "verify/all_sizes/open_batch.h"
#include "verify/bitmap/bitmap_engine.h"
#include "verify/files/file_proof.h"

namespace pet::app {
namespace {

struct FoldOptions {
  std::string file, out;
  bool list = false;
  std::vector<std::string> only, except;
  ShapeFlags shapes;
};

class Fold {
 public:
  Fold(const Model& model, const FoldOptions& options) : model_(model), options_(options) {}

  int list() const {
    const auto chains = chosen();
    if (!chains) return fail(chains.error());
    for (const AffineChain& chain : *chains) fmt::print("{}\n", described(chain));
    if (chains->empty()) fmt::print("there is nothing to fold\n");
    return kDone;
  }

  int run() {
    const auto chains = chosen();
    if (!chains) return fail(chains.error());
    ConstantFolder folder(model_.graph, all_threads(), stopping_.everything());
    for (const AffineChain& chain : *chains) {
      if (auto done = fold(chain, folder); !done) return fail(done.error());
      if (stopping_.asked_once()) return kStopped;
    }
    if (replacements_.empty()) {
      if (auto done = write_model(model_, options_.out); !done) return fail(done.error());
      fmt::print("{}: a copy, there is nothing to fold\n", printable(options_.out));
      return kDone;
    }
    const auto programs = encoded(std::move(folder).programs());
    return programs ? write(*programs) : fail(programs.error());
  }

 private:
  std::string name_of(NodeId id) const { return printable(model_.graph.node(id).name); }

  // "Mul scaled, Add shifted into Conv c"
  std::string described(const AffineChain& chain) const {
    const auto word = [&](NodeId id) {
      return fmt::format("{} {}", model_.graph.node(id).op()->def->name, name_of(id));
    };
    std::string out;
    for (const NodeId id : chain.maps) out += (out.empty() ? "" : ", ") + word(id);
    return out + " into " + word(chain.weighted);
  }

  bool is_named(const AffineChain& chain, const std::vector<std::string>& patterns) const {
    const auto has_name = [&](NodeId id) {
      return matches_any(model_.graph.node(id).name, patterns);
    };
    return has_name(chain.weighted) || std::ranges::any_of(chain.maps, has_name);
  }

  // Of what could be folded; a pattern that no name of it matches is a mistake in the name.
  Result<std::vector<AffineChain>> chosen() const {
    auto all = foldable(model_.graph, FoldWhat::ChannelMaps);
    for (const auto* patterns : {&options_.only, &options_.except}) {
      for (const std::string& pattern : *patterns) {
        if (std::ranges::any_of(all, [&](const auto& chain) { return is_named(chain, {pattern}); }))
          continue;
        return Error{
            fmt::format("{}: nothing of that name can be folded; see --list", printable(pattern)),
            ErrorKind::Usage};
      }
    }
    std::erase_if(all, [&](const AffineChain& chain) {
      return (!options_.only.empty() && !is_named(chain, options_.only)) ||
             is_named(chain, options_.except);
    });
    return all;
  }

  // It stays as it is where a float cannot hold what it would be folded to.
  Status fold(const AffineChain& chain, ConstantFolder& folder) {
    std::vector<NodeId> nodes = {chain.weighted};
    nodes.insert(nodes.end(), chain.maps.begin(), chain.maps.end());
    const Subprogram window = extract(model_.graph, nodes);
    auto expression = fold_affine(window.program, FoldWhat::ChannelMaps);
    if (!expression) return std::move(expression).error();
    const std::size_t left_before = folder.left().size();
    auto folded = folder.fold(*expression);
    if (!folded) return std::move(folded).error();
    if (folder.left().size() > left_before) {
      fmt::print("{} stays: {}\n", name_of(chain.maps.back()), folder.left()[left_before].reason);
      return Done{};
    }
    for (const NodeId id : chain.maps) {
      ++folded_;
      if (model_.graph.node(id).op()->def == &ops::batch_normalization()) ++normalisations_;
    }
    replacements_.push_back({std::move(folded->program), window.inputs, window.outputs, "folded"});
    return Done{};
  }

  Result<Model> written(const std::string& programs, const std::filesystem::path& file,
                        OpenSizes sizes) const {
    if (auto done = write_rewritten(model_, replacements_,
                                    {{std::string(kWeightProgramsKey), programs}}, file, sizes);
        !done)
      return std::move(done).error();
    return read_model(file, {.dimensions = model_.dimensions});
  }

  Status holds_for_every_batch(const Model& folded, const FileProofOptions& how) const {
    const auto batch = batch_dimensions(model_);
    if (batch.size() != 1 || model_.dimensions.size() != 1)
      return Error{"more than one batch is open"};
    const all_sizes::ReadAt at = [&](const auto& sizes) -> Result<std::pair<Model, Model>> {
      auto a = read_again(model_, {.dimensions = sizes});
      if (!a) return std::move(a).error();
      auto b = read_again(folded, {.dimensions = sizes});
      if (!b) return std::move(b).error();
      return std::pair(*std::move(a), *std::move(b));
    };
    BitmapEngine bitmap;
    const std::array<Engine*, 1> alone = {&bitmap};
    return all_sizes::prove_for_all_batches(batch, at, alone, how);
  }

  int write(const std::string& programs) {
    const auto scratch = ScratchFolder::make("pet-fold");
    if (!scratch) return fail(scratch.error());
    FileProofOptions how;
    how.proof.threads = all_threads();
    how.proof.stop = stopping_.everything();
    how.proof.progress = [this](std::string_view what, double done) {
      progress_.show("proving the folded file: " + how_far(what, done));
    };
    const auto file = scratch->path() / "folded.onnx";
    auto folded = written(programs, file, OpenSizes::LeftOpen);
    if (!folded) return fail(folded.error());
    const bool may_be_open = !model_.dimensions.empty();
    const Status open = may_be_open ? holds_for_every_batch(*folded, how) : Status(Done{});
    if (!open) {
      folded = written(programs, file, OpenSizes::Fixed);
      if (!folded) return fail(folded.error());
    }
    const FileVerdict verdict = prove_files(model_, *folded, how);
    progress_.clear();
    if (stopping_.asked_once()) return kStopped;
    if (verdict.outcome != Outcome::Equivalent) {
      return fail({fmt::format("the folded file is not proved ({}: {}); nothing was written",
                               to_string(verdict.outcome), verdict.reason),
                   ErrorKind::Tool});
    }
    if (auto done = write_model(*folded, options_.out); !done) return fail(done.error());
    fmt::print("{}: {} {} folded into {} constants; equivalent, 2^{:.1f}\n",
               printable(options_.out), folded_,
               folded_ == normalisations_ ? "batch normalisations" : "operators",
               verdict.weight_programs, verdict.log2_error);
    if (may_be_open && open) fmt::print("it holds for every batch, and leaves it open\n");
    if (!open)
      fmt::print("it holds for {} alone, which the original leaves open: {}\n",
                 fixed_sizes(model_.dimensions), open.error().message);
    return kDone;
  }

  const Model& model_;
  const FoldOptions& options_;
  Stopping stopping_;
  Progress progress_;
  std::vector<Replacement> replacements_;
  std::size_t folded_ = 0;          // operators that are no longer there
  std::size_t normalisations_ = 0;  // of these
};

}  // namespace

Command add_fold(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "fold",
      "batch normalisations, products and sums with constants folded into the weights before them, "
      "with weight programs that a proof can follow");
  auto o = std::make_shared<FoldOptions>();
  command->add_option("file", o->file, "an ONNX file")->required();
  auto* out = command->add_option("-o,--output", o->out, "the file to write");
  auto* list = command->add_flag("--list", o->list, "say what could be folded, and write nothing");
  list->excludes(out);
  const std::string names = " computes a value of such a name (* and ? stand for others)";
  command->add_option("--only", o->only, "fold only where it" + names);
  command->add_option("--except", o->except, "leave alone what" + names);
  add_shape_flags(*command, o->shapes);
  return [o] {
    if (!o->list && o->out.empty())
      return fail({"--output is required, or --list", ErrorKind::Usage});
    const auto model = read_at_shapes(o->file, o->shapes);
    if (!model) return fail(model.error());
    if (o->list) return Fold(*model, *o).list();
    if (auto free = check_rewritable(o->file, o->out); !free) return fail(free.error());
    const std::array<std::filesystem::path, 1> written = {o->out};
    if (auto kept = keep(external_files(*model), written); !kept) return fail(kept.error());
    return Fold(*model, *o).run();
  };
}

}  // namespace pet::app
