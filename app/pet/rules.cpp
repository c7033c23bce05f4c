#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

#include "app/common/machine.h"
#include "app/common/progress.h"
#include "app/common/shape_flags.h"
#include "app/pet/commands.h"
#include "app/pet/rule_choice.h"
#include "app/pet/stopping.h"
#include "core/rewrite/form.h"
#include "core/rewrite/normal_form.h"
#include "core/rewrite/rewriter.h"
#include "core/rewrite/rule_sets.h"
#include "core/rewrite/rule_words.h"
#include "core/util/atomic_file.h"
#include "core/util/plural.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

struct ListOptions {
  std::vector<std::string> sets;
  std::string model;
  ShapeFlags shapes;  // of the model
};

struct GeneraliseOptions {
  std::string set;
  std::string out;
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

std::vector<const rules::Rule*> pointers_to(const std::vector<rules::Rule>& rules) {
  std::vector<const rules::Rule*> out;
  for (const rules::Rule& rule : rules) out.push_back(&rule);
  return out;
}

rules::Verifying verifying_with(const Stopping& stopping, const Progress& progress) {
  return {.memory = remembered_rules(),
          .program = this_program(),
          .threads = all_threads(),
          .stop = stopping.search(),
          .progress = [&progress](std::size_t done, std::size_t all) {
            progress.show(fmt::format("verifying rules, {} of {}", done, all));
          }};
}

// A rule with all the freedom that it may have, and what it is at the forms at which it is looked
// at before it stands for all. None where it is not right itself, or has no freedom.
struct Candidate {
  rules::Rule general;
  std::vector<rules::Rule> looked_at;
};

Candidate candidate_of(const rules::Rule& rule, const rules::Verified& found) {
  const auto general = rules::generalised(rule);
  if (!general || !found.is_usable()) return {};
  Candidate out{*general, {}};
  out.general.condition = found.condition;
  for (const rules::RuleForm& form : rules::sample_forms())
    if (auto one = rules::at_form(out.general, form)) out.looked_at.push_back(*std::move(one));
  return out;
}

// The rules of a set, each with the condition that was found; the general one where it is right at
// each form that was looked at.
Result<rules::RuleFile> widest(const rules::RuleFile& file, const rules::Verifying& verifying) {
  const std::vector<rules::Rule>& narrow = file.rules;
  const auto of_narrow = rules::verified(pointers_to(narrow), verifying);
  if (!of_narrow) return of_narrow.error();
  std::vector<Candidate> candidates;
  std::vector<rules::Rule> all;
  for (std::size_t i = 0; i < narrow.size(); ++i) {
    candidates.push_back(candidate_of(narrow[i], (*of_narrow)[i]));
    all.insert(all.end(), candidates[i].looked_at.begin(), candidates[i].looked_at.end());
  }
  const auto of_forms = rules::verified(pointers_to(all), verifying);
  if (!of_forms) return of_forms.error();
  rules::RuleFile out{{}, file.statuses};
  std::span<const rules::Verified> left(*of_forms);
  for (std::size_t i = 0; i < narrow.size(); ++i) {
    const auto of_it = left.first(candidates[i].looked_at.size());
    left = left.subspan(of_it.size());
    const bool holds = !of_it.empty() && std::ranges::all_of(of_it, &rules::Verified::is_usable);
    out.rules.push_back(holds ? candidates[i].general : narrow[i]);
    out.rules.back().condition = (*of_narrow)[i].condition;
  }
  return out;
}

int generalise(const GeneraliseOptions& options) {
  const auto set = rules::read_rule_set(options.set);
  if (!set) return fail(set.error());
  const Stopping stopping;
  const Progress progress;
  const auto out = widest(set->file, verifying_with(stopping, progress));
  progress.clear();
  if (!out) return fail(out.error());
  const std::string text = rules::rules_text(*out, fmt::format("{}, generalised", options.set),
                                             "that of what it is made of");
  const auto done = write_atomically(options.out, [&](int fd) {
    return write_all(fd, std::as_bytes(std::span<const char>(text)));
  });
  if (!done) return fail(done.error());
  fmt::print("{}: {}, {} of them for many forms\n", printable(options.out),
             plural(out->rules.size(), "rule"),
             std::ranges::count_if(out->rules, rules::stands_for_many));
  return kDone;
}

int list(const ListOptions& options) {
  std::optional<Graph> program;  // of the model, as it is rewritten
  if (!options.model.empty()) {
    auto read = read_at_shapes(options.model, options.shapes);
    if (!read) return fail(read.error());
    auto normal = rules::normal_form(read->graph);
    if (!normal) return fail(normal.error());
    program = std::move(normal->program);
  }
  const Stopping stopping;
  const Progress progress;
  const rules::Verifying verifying = verifying_with(stopping, progress);
  for (const std::string& name : options.sets) {
    const auto set = rules::read_rule_set(name);
    if (!set) return fail(set.error());
    const std::vector<rules::Rule> rules_of_set =
        program ? rules::with_forms(set->file.rules, *program) : set->file.rules;
    const auto all = pointers_to(rules_of_set);
    const auto found = rules::verified(all, verifying);
    progress.clear();
    if (!found) return fail(found.error());
    for (std::size_t i = 0; i < all.size(); ++i) {
      fmt::print("{}: {}\n    {}\n{}", printable(all[i]->id), verdict_in_words((*found)[i]),
                 rules::in_words(*all[i]),
                 program ? places_in_words(*all[i], (*found)[i], *program) : "");
    }
  }
  return kDone;
}

}  // namespace

Command add_rules(CLI::App& parent) {
  auto* command = parent.add_subcommand("rules", "rewrite rules, as searches by rules use them");
  command->require_subcommand(1);
  auto* listing = command->add_subcommand(
      "list", "each rule in words, what verification found, and where it stands in a model");
  auto options = std::make_shared<ListOptions>();
  listing->add_option("sets", options->sets, "sets (taso, tensat, own) or files")->required();
  listing->add_option("--model", options->model,
                      "at how many places each stands, and why it is not applied there");
  add_shape_flags(*listing, options->shapes);
  auto* widening = command->add_subcommand(
      "generalise",
      "write rules that stand for many: any stride, padding and dilation, any axes in front");
  auto widened = std::make_shared<GeneraliseOptions>();
  widening->add_option("set", widened->set, "a set (taso, tensat, own) or a file")->required();
  widening->add_option("-o,--output", widened->out, "the file to write, of format tensor-rules/2")
      ->required();
  return [listing, options, widened] {
    return listing->parsed() ? list(*options) : generalise(*widened);
  };
}

}  // namespace pet::app
