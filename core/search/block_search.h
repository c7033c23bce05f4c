// A search of blocks, one after another: equal blocks of a program (core/program/blocks.h) are
// searched once, by another search, and what is found there is made at every place where they
// stand.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/program/blocks.h"
#include "core/search/search.h"

namespace pet {

class BlockSearch final : public Search {
 public:
  // `of_block` makes the search of one. REQUIRES: blocks has more places than classes
  BlockSearch(const Model& model, std::string target, const AnySearchConfig& config,
              std::vector<SubprogramClass> blocks, SearchFactory of_block, SearchPorts ports);

  StepStatus step(Grain grain) override;
  std::vector<Plan> best() const override;
  void finish(StopReason reason) override;
  bool is_finished() const override { return taken_ == blocks_.size() && !at_work_; }
  SearchProgress progress() const override;

 private:
  // A block as a model of its own, which its search outlives nothing of.
  struct AtWork {
    std::unique_ptr<Model> model;
    std::unique_ptr<Search> search;
  };

  void take();
  void put_away();
  // What a block's search tells is told, but for its beginning and its end.
  void hear(const Event& event);
  // Of every class: the plans in its first place.
  std::vector<std::vector<Plan>> plans_by_class() const;
  Plan made_everywhere(const std::vector<std::vector<Plan>>& plans, std::size_t rank) const;
  double places_at_work() const;

  const Model& model_;
  const std::string target_;
  const AnySearchConfig config_;
  const std::vector<SubprogramClass> blocks_;
  const SearchFactory of_block_;
  SearchPorts ports_;
  std::size_t taken_ = 0;                // blocks, the one at work included
  std::vector<std::vector<Plan>> done_;  // by class
  double saved_ms_ = 0;                  // by all of done_, each at its places
  std::optional<AtWork> at_work_;
  SearchFinished totals_;
};

// `of_block` for a program without equal blocks, and else the search of its blocks.
SearchFactory block_by_block(SearchFactory of_block);

}  // namespace pet
