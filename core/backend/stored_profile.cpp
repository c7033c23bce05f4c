#include "core/backend/stored_profile.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/backend/comparison_json.h"
#include "core/ir/structure.h"
#include "core/util/append_line.h"
#include "core/util/printable.h"

namespace pet {
namespace {

using Json = nlohmann::ordered_json;

std::optional<StoredComparison> parse(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  auto comparison = comparison_in(json);
  if (!comparison) return std::nullopt;
  try {
    return StoredComparison{
        {json.at("original").get<std::string>(), json.at("candidate").get<std::string>()},
        json.at("plan").get<std::string>(),
        {.name = json.at("runtime").get<std::string>(),
         .version = json.at("version").get<std::string>(),
         .device = json.at("device").get<std::string>(),
         .threads = json.at("threads").get<int>()},
        json.value("date", std::string()),
        *std::move(comparison)};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string named(const BackendInfo& info) {
  return fmt::format("{} on {}", printable(info.name), printable(info.device));
}

bool is_same_source(const BackendInfo& a, const BackendInfo& b) {
  return a.name == b.name && a.device == b.device;
}

}  // namespace

Result<StoredProfile> StoredProfile::read(const std::filesystem::path& file, bool may_be_new) {
  StoredProfile out;
  out.file_ = file;
  std::error_code failed;
  if (may_be_new && !std::filesystem::exists(file, failed)) return out;
  std::ifstream in(file, std::ios::binary);
  if (!in || !std::filesystem::is_regular_file(file, failed))
    return Error{fmt::format("cannot read the profile {}", printable(file.string())),
                 ErrorKind::Usage};
  for (std::string text; std::getline(in, text);) {
    if (auto added = out.add_line(text); !added)
      return std::move(added).error().within(printable(file.string()));
  }
  return out;
}

// Its first line may be broken.
bool StoredProfile::begins_like_one(std::string_view text) {
  constexpr std::string_view kStart = R"({"original":")";
  return text.starts_with(kStart) || text.find(fmt::format("\n{}", kStart)) != text.npos;
}

Status StoredProfile::add_line(const std::string& text) {
  auto line = parse(text);
  if (!line) {
    ++skipped_;
    return Done{};
  }
  if (source_ && !is_same_source(*source_, line->by))
    return Error{fmt::format("holds times of {} and of {}, which nothing compares", named(*source_),
                             named(line->by)),
                 ErrorKind::Usage};
  source_ = line->by;
  known_[{line->programs, line->rule}].push_back(lines_.size());
  lines_.push_back(*std::move(line));
  return Done{};
}

Status StoredProfile::check_source(const BackendInfo& here) const {
  if (!source_ || is_same_source(*source_, here)) return Done{};
  return Error{fmt::format("the profile {} is of {}, and what is measured here is {}",
                           printable(file_.string()), named(*source_), named(here)),
               ErrorKind::Usage};
}

std::optional<Comparison> StoredProfile::find(const ComparedStructures& programs,
                                              const std::string& rule) {
  ++asked_;
  const auto it = known_.find({programs, rule});
  if (it == known_.end()) return std::nullopt;
  ++answered_;
  const std::size_t line = it->second.front();
  if (it->second.size() > 1) it->second.pop_front();
  return lines_[line].comparison;
}

std::string StoredProfile::missing_in_words() const {
  return fmt::format("the profile {} lacks {} of the {} comparisons that were asked for",
                     printable(file_.string()), missing(), asked_);
}

std::vector<double> StoredProfile::times_of(const std::string& original) const {
  std::vector<double> out;
  for (const StoredComparison& line : lines_) {
    const std::vector<double>& times = line.comparison.timing.a_ms;
    if (line.programs.original == original) out.insert(out.end(), times.begin(), times.end());
  }
  return out;
}

bool StoredProfile::append(const ComparedStructures& programs, const std::string& rule, int threads,
                           const BackendInfo& by, const Comparison& comparison) const {
  Json line{{"original", programs.original},
            {"candidate", programs.candidate},
            {"runtime", by.name},
            {"version", by.version},
            {"device", by.device},
            {"threads", threads},
            {"plan", rule},
            {"date", date_now()},
            {"rounds", comparison.timing.a_ms.size()}};
  add_comparison(line, comparison);
  return append_line(file_, line.dump(-1, ' ', true, Json::error_handler_t::replace));
}

Result<std::string> StoredProfiler::structure_of(const std::filesystem::path& file) const {
  auto model = read_model(file, options_.read);
  if (!model) return std::move(model).error();
  return structure_text(model->graph);
}

Result<Comparison> StoredProfiler::compare(const std::filesystem::path& original,
                                           const std::filesystem::path& candidate,
                                           std::stop_token stop) {
  auto a = structure_of(original);
  if (!a) return std::move(a).error();
  auto b = structure_of(candidate);
  if (!b) return std::move(b).error();
  const ComparedStructures programs{*std::move(a), *std::move(b)};
  if (auto known = profile_.find(programs, options_.rule)) return *std::move(known);
  if (!options_.why_not_live.empty())
    return Error{profile_.missing_in_words() + "; " + options_.why_not_live,
                 ErrorKind::Unsupported};
  auto measured = live_->compare(original, candidate, std::move(stop));
  if (measured) profile_.append(programs, options_.rule, options_.threads, options_.by, *measured);
  return measured;
}

}  // namespace pet
