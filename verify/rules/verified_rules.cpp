#include "verify/rules/verified_rules.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <map>
#include <mutex>

#include "core/rewrite/rule_sets.h"
#include "core/util/append_line.h"
#include "core/util/parallel.h"
#include "verify/pairs/engines.h"

namespace pet::rules {
namespace {

constexpr std::array kRemembered = {RuleOutcome::Equivalent, RuleOutcome::Conditional,
                                    RuleOutcome::Different};

// Lines of the form KEY CHECK OUTCOME CONDITION. What is torn or altered is none, and what is
// unknown is not kept: with more time it may be known.
class Memory {
 public:
  explicit Memory(const std::optional<std::filesystem::path>& file) : file_(file) {
    if (!file_) return;
    std::ifstream in(*file_);
    for (std::string line; std::getline(in, line);) take(line);
  }

  const Verified* find(const Digest& key) const {
    const auto it = known_.find(key.hex());
    return it == known_.end() ? nullptr : &it->second;
  }
  void put(const Digest& key, const Verified& what) {
    if (!file_ || what.outcome == RuleOutcome::Unknown) return;
    const std::string said = fmt::format("{} {}", to_string(what.outcome), what.condition);
    append_line(*file_, fmt::format("{} {} {}", key.hex(), check_of(key.hex(), said), said));
  }

 private:
  static constexpr std::size_t kHex = 64;

  static std::string check_of(const std::string& key, const std::string& said) {
    return Digester("verified rule").add(key).add(said).finish().hex();
  }

  void take(const std::string& line) {
    constexpr std::size_t kSaid = 2 * kHex + 2;
    if (line.size() <= kSaid) return;
    const std::string key = line.substr(0, kHex);
    const std::string said = line.substr(kSaid);
    if (line.substr(kHex + 1, kHex) != check_of(key, said)) return;
    for (const RuleOutcome outcome : kRemembered) {
      const std::string word = fmt::format("{} ", to_string(outcome));
      if (said.starts_with(word)) known_[key] = {outcome, said.substr(word.size()), ""};
    }
  }

  std::optional<std::filesystem::path> file_;
  std::map<std::string, Verified> known_;
};

Verified looked_at(const Rule& rule, const std::stop_token& stop) {
  constexpr std::uint64_t kSeed = 0;  // of sizes; proofs draw their own
  const Engines engines = engines_called("bitmap");
  ProofOptions proof;
  proof.stop = stop;
  const auto found = check_rule(rule, pointers(engines), proof, kSeed);
  if (!found) return {RuleOutcome::Unknown, "", found.error().message};
  return {found->outcome, condition_of(*found), found->reason};
}

}  // namespace

Result<std::vector<Verified>> verified(const std::vector<const Rule*>& rules,
                                       const Verifying& options) {
  Memory memory(options.memory);
  std::vector<Verified> out(rules.size());
  std::mutex mutex;
  std::size_t done = 0;
  parallel_for(rules.size(), options.threads, [&](std::size_t i) {
    if (options.stop.stop_requested()) return;
    const Digest key =
        Digester("verified rule").add(digest_of(*rules[i])).add(options.program).finish();
    const Verified* known = memory.find(key);
    out[i] = known != nullptr ? *known : looked_at(*rules[i], options.stop);
    const std::lock_guard lock(mutex);
    if (known == nullptr && !options.stop.stop_requested()) memory.put(key, out[i]);
    options.progress(++done, rules.size());
  });
  if (options.stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  return out;
}

}  // namespace pet::rules
