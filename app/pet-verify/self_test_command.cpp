#include <fmt/format.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/common/files.h"
#include "app/common/machine.h"
#include "app/pet-verify/commands.h"
#include "app/pet-verify/flags.h"
#include "app/pet-verify/side_by_side.h"
#include "app/pet-verify/watch.h"
#include "core/onnx/text.h"
#include "core/rewrite/draw.h"
#include "core/rewrite/rule.h"
#include "core/util/installation.h"
#include "core/util/printable.h"
#include "verify/pairs/engines.h"
#include "verify/self_test/self_test.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using self_test::FaultFound;
using self_test::Noticed;

struct SelfTestOptions {
  std::vector<std::string> files;
  std::size_t mutate = 20;
  std::size_t jobs = 1;
  bool json = false;
  bool quiet = false;
  std::uint64_t seed = 0;
  ProofOptions proof;
};

// A case, or a rule at sizes that are drawn for it.
struct Subject {
  std::string name;
  fs::path file;
  std::optional<rules::Rule> rule;
};

constexpr std::array<std::string_view, 5> kNoticed = {"by-witness", "withheld", "stays-equal",
                                                      "called-equal", "contradicted"};
std::string_view to_string(Noticed noticed) { return kNoticed[static_cast<std::size_t>(noticed)]; }

Result<std::vector<Subject>> pairs_of(const fs::path& file) {
  std::vector<Subject> out;
  std::error_code failure;
  if (fs::is_directory(file, failure)) {
    const auto inside = files_below(file, std::array<std::string_view, 2>{".txt", ".json"});
    if (!inside) return inside.error();
    for (const fs::path& one : *inside) {
      auto pairs = pairs_of(one);
      if (!pairs) return pairs;
      for (Subject& pair : *pairs) out.push_back(std::move(pair));
    }
    return out;
  }
  if (file.extension() != ".json") return std::vector<Subject>{{file.generic_string(), file, {}}};
  auto rules = rules::read_rules(file);
  if (!rules) return std::move(rules).error();
  for (rules::Rule& rule : rules->rules) {
    std::string name = rule.id;
    out.push_back({std::move(name), file, std::move(rule)});
  }
  return out;
}

struct ToldPair {
  std::string name;
  std::vector<FaultFound> faults;
  std::string skipped;  // why there are none
  bool is_unreadable = false;
  double seconds = 0;
};

class SelfTest {
 public:
  SelfTest(std::vector<Subject> pairs, const SelfTestOptions& options)
      : pairs_(std::move(pairs)), options_(options) {}

  int run() {
    side_by_side<ToldPair>(
        {0, pairs_.size(), options_.jobs}, [this] { return worker(); },
        [this](std::size_t, const ToldPair& told) { return tell(told); },
        [this] { return watch_.interrupted(); });
    if (watch_.interrupted()) return fail("pet-verify", Error{"stopped", ErrorKind::Stopped});
    if (!options_.json) fmt::print("{}", summary());
    if (counts_[static_cast<std::size_t>(Noticed::Contradicted)] > 0) return kDisagreement;
    if (unreadable_ > 0) return kBadInput;
    if (looked_at_ > 0) return kDone;
    return fail("pet-verify",
                Error{"nothing was broken, so nothing is known of the checker", ErrorKind::Tool});
  }

 private:
  std::function<ToldPair(std::size_t)> worker() const {
    return [this, engines = std::make_shared<const Engines>(quick_engines())](std::size_t number) {
      const auto start = std::chrono::steady_clock::now();
      ToldPair out = broken(pairs_[number], *engines);
      out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      return out;
    };
  }

  ToldPair broken(const Subject& pair, const Engines& engines) const {
    ToldPair out{pair.name, {}, {}, 0};
    ProofOptions proof = options_.proof;
    proof.stop = watch_.token();
    Rng rng(Digester("self-test").add(options_.seed).add(pair.name).finish().word());
    const auto look = [&](const Graph& original, const Graph& mutant) {
      out.faults = self_test::break_and_look(original, mutant, options_.mutate, pointers(engines),
                                             proof, rng);
      return !out.faults.empty();
    };
    if (!pair.rule) {
      const auto programs = read_case(pair.file);
      if (!programs) {
        out.skipped = programs.error().message;
        out.is_unreadable = true;
      } else if (programs->original.unprovable || programs->mutant.unprovable ||
                 !look(programs->original.graph, programs->mutant.graph)) {
        out.skipped = "not equivalent to begin with, or nothing in it can be broken";
      }
      return out;
    }
    constexpr int kDraws = 100;  // a rule may be right under a condition only
    for (int draw = 0; draw < kDraws; ++draw) {
      const auto drawn = rules::draw(*pair.rule, rng);
      if (drawn && drawn->instance && look(drawn->instance->source, drawn->instance->target))
        return out;
    }
    out.skipped = "no sizes were drawn at which it is equivalent and can be broken";
    return out;
  }

  bool tell(const ToldPair& told) {
    std::array<std::size_t, kNoticed.size()> counts{};
    for (const FaultFound& fault : told.faults) ++counts[static_cast<std::size_t>(fault.noticed)];
    for (std::size_t i = 0; i < counts.size(); ++i) counts_[i] += counts[i];
    if (told.skipped.empty()) ++looked_at_;
    if (told.is_unreadable) ++unreadable_;
    if (options_.json) {
      fmt::print("{}", line_of(told, counts));
    } else {
      fmt::print("{}", text_of(told, counts));
    }
    std::fflush(stdout);
    watch_.progress(static_cast<double>(++told_) / static_cast<double>(pairs_.size()));
    return true;
  }

  static bool is_news(Noticed noticed) {
    return noticed == Noticed::Contradicted || noticed == Noticed::CalledEqual;
  }

  std::string text_of(const ToldPair& told,
                      const std::array<std::size_t, kNoticed.size()>& counts) const {
    if (!told.skipped.empty())
      return options_.quiet ? "" : fmt::format("{}: {}\n", printable(told.name), told.skipped);
    std::string out;
    if (!options_.quiet) {
      out = fmt::format("{}: {} faults", printable(told.name), told.faults.size());
      for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0) out += fmt::format(", {} {}", counts[i], kNoticed[i]);
      out += fmt::format("  {:.2f} s\n", told.seconds);
    }
    for (const FaultFound& fault : told.faults) {
      const bool named = fault.noticed == Noticed::StaysEqual && !options_.quiet;
      if (!named && !is_news(fault.noticed)) continue;
      out += fmt::format("  {}{}: {}{}\n", options_.quiet ? printable(told.name) + ": " : "",
                         to_string(fault.noticed), fault.what,
                         fault.reason.empty() ? "" : ": " + fault.reason);
    }
    return out;
  }

  std::string line_of(const ToldPair& told,
                      const std::array<std::size_t, kNoticed.size()>& counts) const {
    Json json{{"name", printable(told.name)}, {"skipped", told.skipped}};
    for (std::size_t i = 0; i < counts.size(); ++i) json["noticed"][kNoticed[i]] = counts[i];
    json["faults"] = Json::array();
    for (const FaultFound& fault : told.faults)
      json["faults"].push_back(
          {{"what", fault.what}, {"noticed", to_string(fault.noticed)}, {"reason", fault.reason}});
    json["seed"] = options_.seed;
    json["timing"] = {{"seconds", told.seconds}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

  std::string summary() const {
    std::string out = fmt::format("{} of {} pairs broken;", looked_at_, told_);
    for (std::size_t i = 0; i < counts_.size(); ++i)
      out += fmt::format(" {} {}{}", counts_[i], kNoticed[i], i + 1 < counts_.size() ? "," : "");
    return out + fmt::format("; seed {}\n", options_.seed);
  }

  const std::vector<Subject> pairs_;
  const SelfTestOptions& options_;
  Watch watch_;
  std::size_t told_ = 0;
  std::size_t looked_at_ = 0;
  std::size_t unreadable_ = 0;
  std::array<std::size_t, kNoticed.size()> counts_{};
};

// The bundled rules.
std::vector<std::string> default_files() {
  const auto places = places_of({installed_data("pet/rules"), "datasets/rules"});
  std::error_code failure;
  for (const fs::path& place : places) {
    if (fs::is_directory(place, failure)) return {place.string()};
  }
  return {};
}

int break_and_look(SelfTestOptions options, const std::string& seed) {
  options.seed = seed.empty() ? fresh_entropy().word() : *parse_seed(seed);
  options.proof.proof_seed = std::to_string(options.seed);
  if (options.files.empty()) options.files = default_files();
  std::vector<Subject> pairs;
  for (const std::string& file : options.files) {
    auto more = pairs_of(file);
    if (!more) return fail("pet-verify", more.error());
    for (Subject& pair : *more) pairs.push_back(std::move(pair));
  }
  if (pairs.empty())
    return fail("pet-verify", Error{"no pairs to be broken; name cases or files of rules"});
  return SelfTest(std::move(pairs), options).run();
}

}  // namespace

Command add_self_test(CLI::App& parent) {
  struct Flags {
    SelfTestOptions options;
    std::string seed;
    std::string format = "text";
  };
  auto& app = *parent.add_subcommand(
      "self-test",
      "Breaks programs that are equal in many small ways and asks whether they still are.\n"
      "by-witness: not equal, inputs show it; withheld: not called equal; stays-equal: the fault "
      "changes nothing, two engines say; called-equal: one engine alone says so; contradicted: "
      "engines disagree (exit code 5). Exit code 3 where nothing could be broken.");
  auto flags = std::make_shared<Flags>();
  SelfTestOptions& options = flags->options;
  options.jobs = all_threads();
  app.add_option("FILE", options.files,
                 "cases (*.txt), rules (*.json), folders of them; the bundled rules by default");
  app.add_option("--mutate", options.mutate, "faults of each pair, at most")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  app.add_option("--seed", flags->seed, "repeat what this seed draws")->check(is_seed());
  app.add_option("--format", flags->format, "text or json (one object a line)")
      ->check(CLI::IsMember({"text", "json"}));
  app.add_flag("--quiet", options.quiet, "name only faults that one engine alone calls harmless");
  app.add_option("--jobs", options.jobs, "pairs looked at at once")->check(CLI::Range(1, 1024));
  return [flags] {
    flags->options.json = flags->format == "json";
    return break_and_look(flags->options, flags->seed);
  };
}

}  // namespace pet::app
