#include <fmt/format.h>

#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/common/json_text.h"
#include "app/common/machine.h"
#include "app/pet-verify/answer.h"
#include "app/pet-verify/commands.h"
#include "app/pet-verify/flags.h"
#include "app/pet-verify/side_by_side.h"
#include "app/pet-verify/watch.h"
#include "core/rewrite/rule.h"
#include "core/util/deadline.h"
#include "core/util/printable.h"
#include "core/util/rng.h"
#include "verify/pairs/engines.h"
#include "verify/rules/rule_check.h"

namespace pet::app {
namespace {

using Json = nlohmann::ordered_json;
using rules::Rule;
using rules::RuleOutcome;
using rules::RuleVerdict;

struct RulesOptions {
  std::string file;
  std::string engine = "bitmap";
  bool json = false;
  bool quiet = false;
  std::size_t jobs = 1;
  std::optional<double> timeout_seconds;  // of each rule
  std::uint64_t seed = 0;
  ProofOptions proof;
};

// What a file's status means for the verdict; nothing: it says nothing that we know.
std::optional<RuleOutcome> meant(const std::string& status) {
  if (status == "valid") return RuleOutcome::Equivalent;
  if (status == "valid_ungrouped_only" || status == "conditional") return RuleOutcome::Conditional;
  return std::nullopt;
}

int code_of(const Result<RuleVerdict>& found, const std::string& status) {
  if (!found) return app::code_of(found.error().kind);
  if (found->engines_disagree) return kDisagreement;
  if (const auto expected = meant(status)) return found->outcome == *expected ? kDone : kNotEqual;
  if (!status.empty()) return kNotEqual;  // whatever it says, that is no verdict
  switch (found->outcome) {
    case RuleOutcome::Equivalent:
      return kDone;
    case RuleOutcome::Conditional:
    case RuleOutcome::Different:
      return kNotEqual;
    case RuleOutcome::Unknown:
      return kFailed;
  }
  return kFailed;
}

struct ToldRule {
  std::string line;  // JSON
  std::string text;
  std::string verdict;
  int exit_code = kDone;
};

Json shapes_of(const RuleVerdict& verdict) {
  Json out = Json::array();
  for (const rules::Tried& tried : verdict.tried) {
    Json one = Json::object();
    for (const auto& [name, shape] : tried.shapes) one[printable_whole(name)] = shape;
    out.push_back({{"inputs", std::move(one)}, {"verdict", to_string(tried.outcome)}});
  }
  return out;
}

ToldRule told_of(const Rule& rule, const std::string& status, const Result<RuleVerdict>& found,
                 const RulesOptions& options, double seconds) {
  ToldRule out;
  out.exit_code = code_of(found, status);
  out.verdict = found ? to_string(found->outcome) : to_string(found.error().kind);
  const std::string reason = found ? found->reason : found.error().message;
  Json json{{"name", printable_whole(rule.id)}, {"verdict", out.verdict}, {"reason", reason}};
  out.text = fmt::format("{:<6} {}: {}", out.exit_code == kDone ? "ok" : "NOT OK",
                         printable(rule.id), out.verdict);
  if (found) {
    json["condition"] = found->condition.atoms.empty() ? Json(nullptr) : Json(condition_of(*found));
    json["shapes"] = shapes_of(*found);
    json["all_sizes"] = found->all_sizes;
    json["only_tried"] = found->only_tried.empty() ? Json(nullptr) : Json(found->only_tried);
    json["log2_error"] =
        found->outcome == RuleOutcome::Equivalent || found->outcome == RuleOutcome::Conditional
            ? Json(found->log2_error)
            : Json(nullptr);
    if (!found->condition.atoms.empty()) out.text += " where " + condition_of(*found);
    out.text += fmt::format(", {} sets of sizes", found->tried.size());
    if (found->all_sizes) out.text += " and all others";
  }
  if (!reason.empty()) out.text += ": " + reason;
  json["proof_seed"] = options.seed;
  json["reproduced"] = !options.proof.seed_is_fresh;
  if (!status.empty()) {
    json["status"] = printable_whole(status);
    json["as_expected"] = out.exit_code == kDone;
    if (out.exit_code != kDone)
      out.text += fmt::format("; the file says {}{}", printable(status),
                              meant(status) ? "" : ", which is the name of no verdict");
  }
  json["exit_code"] = out.exit_code;
  json["timing"] = {{"seconds", seconds}};
  out.line = one_line(json);
  out.text += fmt::format("  {:.2f} s\n", seconds);
  return out;
}

// The rules side by side, told in order.
class Rules {
 public:
  Rules(const rules::RuleFile& file, const RulesOptions& options)
      : file_(file), options_(options) {}

  int run() {
    side_by_side<ToldRule>(
        {0, file_.rules.size(), options_.jobs}, [this] { return worker(); },
        [this](std::size_t, const ToldRule& told) { return tell(told); },
        [this] { return watch_.interrupted(); });
    if (watch_.interrupted()) return fail("pet-verify", Error{"stopped", ErrorKind::Stopped});
    if (!options_.json) fmt::print("{}", summary());
    return code_;
  }

 private:
  std::function<ToldRule(std::size_t)> worker() const {
    return [this, engines = std::make_shared<const Engines>(engines_called(options_.engine))](
               std::size_t number) {
      const auto start = std::chrono::steady_clock::now();
      const auto found = checked_in_time(file_.rules[number], *engines);
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      return told_of(file_.rules[number], file_.statuses[number], found, options_, seconds);
    };
  }

  Result<RuleVerdict> checked_in_time(const Rule& rule, const Engines& engines) const {
    ProofOptions proof = options_.proof;
    proof.stop = watch_.token();
    if (!options_.timeout_seconds) return checked(rule, engines, proof);
    const Deadline deadline(*options_.timeout_seconds, watch_.token());
    proof.stop = deadline.token();
    auto found = checked(rule, engines, proof);
    const bool stopped =
        found ? found->outcome == RuleOutcome::Unknown : found.error().kind == ErrorKind::Stopped;
    if (!deadline.is_over() || !stopped || watch_.interrupted()) return found;
    RuleVerdict nothing;
    nothing.reason = fmt::format("nothing was known after {} s", *options_.timeout_seconds);
    return nothing;
  }

  Result<RuleVerdict> checked(const Rule& rule, const Engines& engines,
                              const ProofOptions& proof) const {
    try {
      return check_rule(rule, pointers(engines), proof, options_.seed);
    } catch (const std::exception& exception) {
      return Error{exception.what(), ErrorKind::Tool};
    }
  }

  bool tell(const ToldRule& told) {
    if (!options_.quiet || told.exit_code != kDone)
      fmt::print("{}", options_.json ? told.line : told.text);
    std::fflush(stdout);
    ++counts_[told.verdict];
    if (told.exit_code == kDone) ++good_;
    code_ = worst(code_, told.exit_code);
    watch_.progress(static_cast<double>(++told_) / static_cast<double>(file_.rules.size()));
    return true;
  }

  std::string summary() const {
    std::string out = fmt::format("{} of {} as the file says, or equivalent", good_, told_);
    std::string_view before = ";";
    for (const auto& [verdict, number] : counts_) {
      out += fmt::format("{} {} {}", before, number, verdict);
      before = ",";
    }
    return out + fmt::format("; proof_seed {}\n", options_.seed);
  }

  const rules::RuleFile& file_;
  const RulesOptions& options_;
  Watch watch_;
  std::size_t told_ = 0;
  std::size_t good_ = 0;
  std::map<std::string, std::size_t> counts_;
  int code_ = kDone;
};

struct RulesFlags {
  RulesOptions options;  // what needs no reading
  std::string error = "2^-64";
  std::string seed;
  std::string format = "text";
  std::string timeout;
};

// Draws the seed where none was given.
RulesOptions read(const RulesFlags& flags) {
  RulesOptions out = flags.options;
  out.json = flags.format == "json";
  if (!flags.timeout.empty()) out.timeout_seconds = *parse_seconds(flags.timeout);
  out.proof.log2_error = *parse_error_bound(flags.error);
  out.seed = flags.seed.empty() ? fresh_entropy().word() : *parse_seed(flags.seed);
  out.proof.proof_seed = std::to_string(out.seed);
  out.proof.seed_is_fresh = flags.seed.empty();
  return out;
}

int check_rules(const RulesOptions& options) {
  const auto file = rules::read_rules(options.file);
  if (!file) return fail("pet-verify", file.error());
  return Rules(*file, options).run();
}

}  // namespace

Command add_rules(CLI::App& parent) {
  auto& app = *parent.add_subcommand(
      "rules",
      "Is every rule of a file (format tensor-rules/1 or /2) right, and under which condition, at "
      "the "
      "sizes at which both its sides are programs?\n"
      "What the file says of a rule is compared with the verdict when that is final.");
  auto flags = std::make_shared<RulesFlags>();
  RulesOptions& options = flags->options;
  options.jobs = all_threads();
  app.add_option("FILE", options.file, "rules, as JSON")->required();
  app.add_option("--engine", options.engine, "who gives the verdicts (bitmap)")
      ->check(CLI::IsMember(engine_names()));
  app.add_option("--error", flags->error, "largest probability of a wrong \"equal\" (2^-64)")
      ->check(is_error_bound());
  app.add_option("--timeout", flags->timeout, "give a rule up after that long: 90s, 2m")
      ->check(is_duration());
  app.add_option("--seed", flags->seed, "repeat sizes and proofs with this proof_seed")
      ->check(is_seed());
  app.add_option("--format", flags->format, "text or json (one object a line)")
      ->check(CLI::IsMember({"text", "json"}));
  app.add_flag("--quiet", options.quiet, "say nothing of rules that are as the file says");
  app.add_option("--jobs", options.jobs, "rules looked at at once")->check(CLI::Range(1, 1024));
  return [flags] { return check_rules(read(*flags)); };
}

}  // namespace pet::app
