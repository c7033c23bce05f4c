#include "app/pet-verify/verdict_cache.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/common/command_line.h"
#include "app/common/machine.h"
#include "app/pet-verify/question_digest.h"
#include "core/program/verdict_json.h"
#include "core/util/append_line.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

using Json = nlohmann::ordered_json;

// A change to the format of the lines, or to what a key is made of, is a change to this.
constexpr std::string_view kFormat = "pet-verdict/1";

std::string seal(const std::string& key, std::uint64_t seed, const std::string& verdict) {
  return Digester(kFormat).add(key).add(seed).add(verdict).finish().hex();
}

bool may_be_kept(const FileVerdict& verdict) {
  switch (verdict.outcome) {
    case Outcome::Equivalent:
    case Outcome::EquivalentUpToConstants:
    case Outcome::Partial:
    case Outcome::Different:
    case Outcome::ShapeMismatch:
      return !verdict.engines_disagree && !verdict.reproduced;
    case Outcome::Unknown:
    case Outcome::Unsupported:
      return false;
  }
  return false;
}

std::optional<Digest> digest_from(const std::string& hex) {
  Digest out;
  if (hex.size() != 2 * out.bytes.size()) return std::nullopt;
  const auto digit = [](char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; };
  for (std::size_t i = 0; i < out.bytes.size(); ++i)
    out.bytes[i] = static_cast<std::uint8_t>(digit(hex[2 * i]) * 16 + digit(hex[2 * i + 1]));
  return out.hex() == hex ? std::optional(out) : std::nullopt;
}

std::optional<std::pair<Digest, Remembered>> parsed(const std::string& line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  try {
    const auto text = json.at("key").get<std::string>();
    const auto seed = json.at("proof_seed").get<std::uint64_t>();
    const std::string written = json.at("verdict").dump();
    if (json.at("format").get<std::string>() != kFormat ||
        json.at("seal").get<std::string>() != seal(text, seed, written))
      return std::nullopt;
    const auto key = digest_from(text);
    auto verdict = read_verdict(written);
    if (!key || !verdict || !may_be_kept(*verdict)) return std::nullopt;
    return std::pair{*key, Remembered{*std::move(verdict), seed}};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

VerdictCache::VerdictCache(std::filesystem::path file, Keeps keeps)
    : file_(std::move(file)), keeps_(keeps) {
  std::ifstream stream(file_, std::ios::binary);
  std::size_t number = 0;
  std::size_t left_out = 0;
  std::size_t first = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (auto known = parsed(line)) {
      known_.insert_or_assign(known->first, std::move(known->second));
    } else if (left_out++ == 0) {
      first = number;
    }
  }
  if (stream.bad()) {
    say(fmt::format("pet-verify: {} cannot be read to its end; nothing is taken from it\n",
                    printable(file_.string())));
    known_.clear();
  }
  if (left_out > 0) {
    say(fmt::format("pet-verify: {}:{}: ignored, for it is no verdict that was kept{}\n",
                    printable(file_.string()), first,
                    left_out > 1 ? fmt::format("; so are {} more", left_out - 1) : ""));
  }
}

bool VerdictCache::is_one(const std::filesystem::path& file) {
  constexpr std::string_view kBegin = "{\"format\":\"pet-verdict/";
  std::error_code failure;
  if (!std::filesystem::is_regular_file(file, failure)) return true;
  std::ifstream stream(file, std::ios::binary);
  bool is_empty = true;
  for (std::string line; std::getline(stream, line); is_empty = false) {
    if (line.starts_with(kBegin) || (is_empty && stream.eof() && kBegin.starts_with(line)))
      return true;
  }
  return is_empty;
}

std::optional<Remembered> VerdictCache::find(const Digest& key) const {
  const std::lock_guard lock(mutex_);
  const auto it = known_.find(key);
  return it == known_.end() ? std::nullopt : std::optional(it->second);
}

void VerdictCache::put(const Digest& key, const Remembered& answer) {
  if (keeps_ == Keeps::Nothing || !may_be_kept(answer.verdict)) return;
  const auto verdict = verdict_json(answer.verdict);
  if (!verdict) return;
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const Json line{{"format", kFormat},
                  {"key", key.hex()},
                  {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))},
                  {"proof_seed", answer.seed},
                  {"verdict", Json::parse(*verdict)},
                  {"seal", seal(key.hex(), answer.seed, *verdict)}};
  const std::lock_guard lock(mutex_);
  known_.insert_or_assign(key, answer);
  if (!is_writable_ || append_line(file_, line.dump())) return;
  is_writable_ = false;
  say(fmt::format("pet-verify: cannot write {}: {}; verdicts are not kept\n",
                  printable(file_.string()), std::strerror(errno)));
}

Digest cache_key(const Digest& original, const Digest& mutant, const Question& question,
                 const Options& options) {
  return Digester("verdict of a pair")
      .add(kFormat)
      .add(this_program())
      .add(original)
      .add(mutant)
      .add(digest_of_settings(question, options))
      .finish();
}

}  // namespace pet::app
