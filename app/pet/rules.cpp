#include <fmt/format.h>

#include <memory>

#include "app/common/machine.h"
#include "app/common/progress.h"
#include "app/common/shape_flags.h"
#include "app/pet/commands.h"
#include "app/pet/rule_choice.h"
#include "app/pet/stopping.h"
#include "core/rewrite/rewriter.h"
#include "core/rewrite/rule_sets.h"
#include "core/rewrite/rule_words.h"
#include "core/util/plural.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

struct ListOptions {
  std::vector<std::string> sets;
  std::string model;
  ShapeFlags shapes;  // of the model
};

std::string verdict_in_words(const rules::Verified& found) {
  std::string out(to_string(found.outcome));
  if (!found.condition.empty()) out += " where " + printable(found.condition);
  if (!found.why.empty()) out += ", " + printable(found.why);
  return out;
}

// How often each thing was decided of the places where the structure of its source stands.
std::string places_in_words(const rules::Rule& rule, const rules::Verified& found,
                            const Graph& program) {
  if (!found.is_usable()) return {};
  auto usable = rules::usable(rule, found.condition);
  if (!usable) return {};
  std::vector<rules::UsableRule> all;
  all.push_back(*std::move(usable));
  rules::Rewriter rewriter(std::move(all));
  std::map<rules::Fit, std::size_t> counts;
  std::string first;
  for (const rules::Match& match : rewriter.matches(program)) {
    const auto fit = rewriter.decide(program, match).fit;
    if (counts[fit]++ == 0 && fit == rules::Fit::Fits)
      first = program.node(match.place.outputs.front()).name;
  }
  std::string out;
  for (const auto& [fit, number] : counts)
    out +=
        fmt::format("    {}: {}{}\n", plural(number, "place"), to_string(fit),
                    fit == rules::Fit::Fits ? fmt::format(", first at {}", printable(first)) : "");
  return out;
}

int list(const ListOptions& options) {
  std::optional<Model> model;
  if (!options.model.empty()) {
    auto read = read_at_shapes(options.model, options.shapes);
    if (!read) return fail(read.error());
    model = *std::move(read);
  }
  const Stopping stopping;
  const Progress progress;
  rules::Verifying verifying{.memory = remembered_rules(),
                             .program = this_program(),
                             .threads = all_threads(),
                             .stop = stopping.search()};
  verifying.progress = [&](std::size_t done, std::size_t all) {
    progress.show(fmt::format("verifying rules, {} of {}", done, all));
  };
  for (const std::string& name : options.sets) {
    const auto set = rules::read_rule_set(name);
    if (!set) return fail(set.error());
    std::vector<const rules::Rule*> all;
    for (const rules::Rule& rule : set->file.rules) all.push_back(&rule);
    const auto found = rules::verified(all, verifying);
    progress.clear();
    if (!found) return fail(found.error());
    for (std::size_t i = 0; i < all.size(); ++i) {
      fmt::print("{}: {}\n    {}\n{}", printable(all[i]->id), verdict_in_words((*found)[i]),
                 rules::in_words(*all[i]),
                 model ? places_in_words(*all[i], (*found)[i], model->graph) : "");
    }
  }
  return kDone;
}

}  // namespace

Command add_rules(CLI::App& parent) {
  auto* command = parent.add_subcommand("rules", "rewrite rules, as --search taso uses them");
  command->require_subcommand(1);
  auto* listing = command->add_subcommand(
      "list", "each rule in words, what verification found, and where it stands in a model");
  auto options = std::make_shared<ListOptions>();
  listing->add_option("sets", options->sets, "sets (taso, tensat, own) or files")->required();
  listing->add_option("--model", options->model,
                      "at how many places each stands, and why it is not applied there");
  add_shape_flags(*listing, options->shapes);
  return [options] { return list(*options); };
}

}  // namespace pet::app
