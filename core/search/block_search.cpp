#include "core/search/block_search.h"

#include <algorithm>
#include <map>

#include "core/util/overloaded.h"

namespace pet {
namespace {

using Names = std::map<std::string, std::string>;

// Node for node the same: what a value of the one is called in the other.
Names names_there(const Subprogram& from, const Subprogram& to) {
  Names out;
  for (const NodeId id : from.program.ids()) {
    const std::string& name = from.program.node(id).name;
    if (!name.empty()) out.emplace(name, to.program.node(id).name);
  }
  return out;
}

void rename(std::string& name, const Names& names) {
  const auto there = names.find(name);
  if (there != names.end()) name = there->second;
}

// A choice in a block's program as one in the program that the block was taken from.
Result<Choice> carried(const Choice& choice, const Subprogram& from, const Subprogram& to) {
  auto program = transfer(choice.program, from, to);
  if (!program) return std::move(program).error();
  std::map<NodeId, NodeId> home;  // by node of the block's program
  for (const auto& [there, here] : to.place) home.emplace(here, there);
  const Names names = names_there(from, to);
  Choice out = choice;
  out.program = *std::move(program);
  rename(out.place, names);
  for (Move& one : out.mutant.moves) {
    if (auto* rule = std::get_if<move::ApplyRule>(&one)) rename(rule->place, names);
  }
  for (auto* ids : {&out.inputs, &out.outputs}) {
    for (NodeId& id : *ids) {
      const auto at = home.find(id);
      if (at == home.end()) return Error{"it reads what stands in the block alone"};
      id = at->second;
    }
  }
  return out;
}

}  // namespace

BlockSearch::BlockSearch(const Model& model, std::string target, const AnySearchConfig& config,
                         std::vector<SubprogramClass> blocks, SearchFactory of_block,
                         SearchPorts ports)
    : model_(model),
      target_(std::move(target)),
      config_(config),
      blocks_(std::move(blocks)),
      of_block_(std::move(of_block)),
      ports_(std::move(ports)) {
  ports_.sink(SearchStarted{model.path.filename().string(), model.digest.hex(), target_,
                            seed_of(config), 0});
}

StepStatus BlockSearch::step(Grain grain) {
  if (ports_.stop.stop_requested() || is_finished()) return StepStatus::Finished;
  if (!at_work_) {
    take();
  } else if (at_work_->search->step(grain) == StepStatus::Finished &&
             !ports_.stop.stop_requested()) {
    put_away();
  }
  return is_finished() ? StepStatus::Finished : StepStatus::Running;
}

double BlockSearch::places_at_work() const {
  return static_cast<double>(blocks_[taken_ - 1].places.size());
}

void BlockSearch::take() {
  const SubprogramClass& block = blocks_[taken_];
  std::vector<std::string> first_values;
  for (const Subprogram& place : block.places)
    first_values.push_back(model_.graph.node(place.outputs.front()).name);
  ports_.sink(BlockTaken{taken_, block.representative().nodes.size(), std::move(first_values)});
  ++taken_;
  AtWork next;
  next.model = std::make_unique<Model>();
  next.model->graph = block.representative().program;
  next.model->path = model_.path;
  next.model->digest = next.model->graph.digest();
  SearchPorts ports = ports_;
  ports.sink = [this](const Event& event) { hear(event); };
  at_work_ = std::move(next);
  at_work_->search = of_block_(*at_work_->model, target_, config_, std::move(ports));
}

void BlockSearch::put_away() {
  at_work_->search->finish(StopReason::Finished);
  done_.push_back(at_work_->search->best());
  if (!done_.back().empty()) saved_ms_ += done_.back().front().saved_ms * places_at_work();
  at_work_.reset();
}

void BlockSearch::hear(const Event& event) {
  std::visit(overloaded{[](const SearchStarted&) {},
                        [&](const SearchFinished& of_block) {
                          totals_.proposed += of_block.proposed;
                          totals_.verified += of_block.verified;
                          totals_.measured += of_block.measured;
                          totals_.pieces += of_block.pieces;
                        },
                        [&](BestImproved of_block) {
                          of_block.saved_ms = saved_ms_ + of_block.saved_ms * places_at_work();
                          ports_.sink(of_block);
                        },
                        [&](const auto& told) { ports_.sink(told); }},
             event);
}

std::vector<std::vector<Plan>> BlockSearch::plans_by_class() const {
  auto out = done_;
  if (at_work_) out.push_back(at_work_->search->best());
  return out;
}

// In every class the plan of that rank, or its last one.
Plan BlockSearch::made_everywhere(const std::vector<std::vector<Plan>>& plans,
                                  std::size_t rank) const {
  Plan out;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (plans[i].empty()) continue;
    const Plan& plan = plans[i][std::min(rank, plans[i].size() - 1)];
    for (const Subprogram& place : blocks_[i].places) {
      for (const Choice& choice : plan.choices) {
        auto there = carried(choice, blocks_[i].representative(), place);
        if (!there) continue;
        there->subprogram = out.choices.size();
        out.choices.push_back(*std::move(there));
      }
      out.saved_ms += plan.saved_ms;
    }
  }
  return out;
}

std::vector<Plan> BlockSearch::best() const {
  const auto plans = plans_by_class();
  std::size_t most = 0;
  for (const auto& of_class : plans) most = std::max(most, of_class.size());
  std::vector<Plan> out;
  for (std::size_t rank = 0; rank < most; ++rank) out.push_back(made_everywhere(plans, rank));
  return out;
}

SearchProgress BlockSearch::progress() const {
  SearchProgress out{blocks_.size(), done_.size(), totals_.pieces + taken_, saved_ms_};
  if (!at_work_) return out;
  const SearchProgress inside = at_work_->search->progress();
  out.pieces += inside.pieces;
  out.saved_ms += inside.saved_ms * places_at_work();
  return out;
}

void BlockSearch::finish(StopReason reason) {
  if (at_work_) at_work_->search->finish(reason);
  totals_.reason = reason;
  totals_.pieces += taken_;
  const auto plans = best();
  totals_.chosen = plans.empty() ? 0 : plans.front().choices.size();
  ports_.sink(totals_);
}

SearchFactory block_by_block(SearchFactory of_block) {
  return [of_block = std::move(of_block)](const Model& model, std::string target,
                                          const AnySearchConfig& config,
                                          SearchPorts ports) -> std::unique_ptr<Search> {
    auto blocks = blocks_of(model.graph);
    // Time may be over before all of them were searched: where most of the program is comes first.
    std::ranges::stable_sort(blocks, std::ranges::greater(), [](const SubprogramClass& one) {
      return one.places.size() * one.representative().nodes.size();
    });
    const bool are_equal_ones = std::ranges::any_of(
        blocks, [](const SubprogramClass& one) { return one.places.size() > 1; });
    if (!are_equal_ones) return of_block(model, std::move(target), config, std::move(ports));
    return std::make_unique<BlockSearch>(model, std::move(target), config, std::move(blocks),
                                         of_block, std::move(ports));
  };
}

}  // namespace pet
