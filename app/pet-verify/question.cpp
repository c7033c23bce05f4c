#include "app/pet-verify/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/common/command_line.h"
#include "app/common/files.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view kCase = ".txt";
constexpr std::string_view kManifest = ".jsonl";
constexpr std::string_view kModel = ".onnx";

Error malformed(const std::string& where, const std::string& what) {
  return Error{fmt::format("{}: {}", printable(where), what), ErrorKind::Malformed};
}

Question of_case(const fs::path& path, const Options& options) {
  return {path.generic_string(), path.generic_string(), {path},
          std::nullopt,          options.reading,       options.proof.outputs};
}

Result<std::vector<Question>> below(const fs::path& folder, const Options& options) {
  const auto files = files_below(folder, std::array{kCase});
  if (!files) return files.error();
  if (files->empty()) return malformed(folder.string(), "no case (*.txt) lies below it");
  std::vector<Question> out;
  for (const fs::path& file : *files) out.push_back(of_case(file, options));
  return out;
}

// One line of a manifest.
class Line {
 public:
  Line(const Json& json, const fs::path& folder, const Options& options)
      : json_(json), folder_(folder) {
    question_.reading = options.reading;
    question_.outputs = options.proof.outputs;
  }

  // Or what is wrong with it.
  Result<Question> read() {
    if (!json_.is_object()) return Error{"no JSON object"};
    for (const auto& [key, value] : json_.items()) {
      if (auto done = take(key, value); !done) return std::move(done).error();
    }
    if (a_.empty() != b_.empty() || case_.empty() == a_.empty())
      return Error{"it names either a \"case\", or \"a\" and \"b\""};
    if (case_.empty()) {
      question_.files = {folder_ / a_, folder_ / b_};
    } else {
      question_.files = {folder_ / case_};
    }
    if (question_.name.empty()) question_.name = case_.empty() ? a_ + " " + b_ : case_;
    return std::move(question_);
  }

 private:
  Status take(const std::string& key, const Json& value) {
    if (key == "shape") return take_shape(value);
    if (!value.is_string()) return Error{fmt::format("\"{}\" is no text", printable(key))};
    const auto text = value.get<std::string>();
    if (text.find('\0') != std::string::npos)
      return Error{fmt::format("\"{}\" holds a zero", printable(key))};
    if (key == "name") {
      question_.name = text;
    } else if (key == "case") {
      case_ = text;
    } else if (key == "a") {
      a_ = text;
    } else if (key == "b") {
      b_ = text;
    } else if (key == "expect") {
      auto expected = parse_expectation(text);
      if (!expected) return std::move(expected).error();
      question_.expected = *std::move(expected);
    } else if (key == "outputs" && (text == "by-name" || text == "by-position")) {
      question_.outputs = text == "by-name" ? OutputMatch::ByName : OutputMatch::ByPosition;
    } else {
      return Error{
          fmt::format("\"{}\": \"{}\" means nothing here", printable(key), printable(text))};
    }
    return Done{};
  }

  Status take_shape(const Json& value) {
    if (!value.is_object()) return Error{"\"shape\" is no object of sizes by name"};
    for (const auto& [name, size] : value.items()) {
      if (!size.is_number_integer() || size.get<Dim>() < 1)
        return Error{
            fmt::format("\"shape\": {} is no positive size",
                        size.is_structured() ? "a list or an object" : printable(size.dump()))};
      question_.reading.dimensions[name] = size.get<Dim>();
    }
    return Done{};
  }

  const Json& json_;
  const fs::path& folder_;
  Question question_;
  std::string case_;
  std::string a_;
  std::string b_;
};

// Or what is wrong with it: of a key that stands there twice a parser takes the last.
Result<Json> parsed(const std::string& text) {
  std::set<std::pair<int, std::string>> keys;  // only one of them has keys of its own
  std::string repeated;
  const auto see = [&](int depth, Json::parse_event_t event, Json& key) {
    if (event == Json::parse_event_t::key && !keys.emplace(depth, key.get<std::string>()).second)
      repeated = key.get<std::string>();
    return true;
  };
  Json json = Json::parse(text, see, false);
  if (json.is_discarded()) return Error{"no JSON object on one line"};
  if (!repeated.empty())
    return Error{fmt::format("\"{}\" stands there twice", printable(repeated))};
  return json;
}

Result<std::vector<Question>> listed(const fs::path& manifest, const Options& options) {
  // A pipe or a device may have no end.
  std::error_code failure;
  if (!fs::is_regular_file(manifest, failure))
    return malformed(manifest.string(), "cannot be read");
  std::ifstream stream(manifest);
  if (!stream) return malformed(manifest.string(), "cannot be read");
  std::vector<Question> out;
  std::string text;
  const fs::path folder = manifest.parent_path();
  for (std::size_t number = 1; std::getline(stream, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string where = fmt::format("{}:{}", manifest.string(), number);
    const auto json = parsed(text);
    if (!json) return malformed(where, json.error().message);
    auto question = Line(*json, folder, options).read();
    if (!question) return malformed(where, question.error().message);
    question->from = where;
    out.push_back(*std::move(question));
  }
  if (stream.bad()) return malformed(manifest.string(), "cannot be read to its end");
  if (out.empty()) return malformed(manifest.string(), "it lists nothing");
  return out;
}

Result<std::vector<Question>> all_of(const fs::path& file, const Options& options) {
  std::error_code failure;
  if (fs::is_directory(file, failure)) return below(file, options);
  if (file.extension() == kManifest) return listed(file, options);
  if (file.extension() == kCase) return std::vector{of_case(file, options)};
  return Error{
      fmt::format("{} is no folder, manifest (*.jsonl) or case (*.txt); models come in pairs",
                  printable(file.string())),
      ErrorKind::Usage};
}

Status check_names(const std::vector<Question>& all) {
  std::map<std::string, const Question*> by_name;
  for (const Question& question : all) {
    const auto [first, is_new] = by_name.emplace(question.name, &question);
    if (is_new) continue;
    if (question.from == first->second->from)
      return malformed(question.from, "it is named twice, or below a folder that is named, too");
    return malformed(question.from,
                     fmt::format("another pair is called \"{}\", that of {}",
                                 printable(question.name), printable(first->second->from)));
  }
  return Done{};
}

}  // namespace

namespace {

bool are_one_pair(const std::vector<fs::path>& files) {
  const auto is_of_batch = [](const fs::path& file) {
    std::error_code failure;
    return file.extension() == kManifest || fs::is_directory(file, failure);
  };
  if (files.size() == 1) return !is_of_batch(files[0]);
  return files.size() == 2 && std::none_of(files.begin(), files.end(), [&](const fs::path& file) {
           return is_of_batch(file) || file.extension() == kCase;
         });
}

Result<std::vector<Question>> named(const Options& options) {
  std::vector<Question> out;
  if (are_one_pair(options.files)) {
    if (options.files.size() == 1 && options.files[0].extension() == kModel)
      return Error{
          fmt::format("{} alone: models come in pairs", printable(options.files[0].string())),
          ErrorKind::Usage};
    Question question = of_case(options.files[0], options);
    question.files = options.files;
    if (question.files.size() == 2) question.name += " " + options.files[1].generic_string();
    return std::vector{std::move(question)};
  }
  for (const fs::path& file : options.files) {
    auto some = all_of(file, options);
    if (!some) return std::move(some).error();
    std::move(some->begin(), some->end(), std::back_inserter(out));
  }
  return out;
}

// Each at every size of the range.
Result<std::vector<Question>> at_sizes(const std::vector<Question>& all, const SizeRange& range) {
  constexpr std::size_t kMostQuestions = 100'000;
  if (all.size() * static_cast<std::size_t>(range.high - range.low + 1) > kMostQuestions)
    return Error{fmt::format("--sizes: more than {} pairs", kMostQuestions), ErrorKind::Usage};
  std::vector<Question> out;
  for (const Question& question : all) {
    if (question.reading.dimensions.contains(range.name))
      return Error{fmt::format("{}: its size of {} is given by --sizes, too",
                               printable(question.name), printable(range.name)),
                   ErrorKind::Usage};
    for (Dim size = range.low; size <= range.high; ++size) {
      Question& one = out.emplace_back(question);
      one.name += fmt::format(" {}={}", range.name, size);
      one.reading.dimensions[range.name] = size;
    }
  }
  return out;
}

}  // namespace

bool is_one_pair(const Options& options) {
  return options.sizes.empty() && are_one_pair(options.files);
}

Result<std::vector<Question>> questions(const Options& options) {
  auto named_ones = named(options);
  if (!named_ones) return named_ones;
  std::vector<Question> out = *std::move(named_ones);
  for (const SizeRange& range : options.sizes) {
    auto more = at_sizes(out, range);
    if (!more) return more;
    out = *std::move(more);
  }
  if (is_one_pair(options)) return out;
  if (auto unique = check_names(out); !unique) return std::move(unique).error();
  std::vector<Question> mine;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i % options.shard.of == options.shard.number - 1) mine.push_back(std::move(out[i]));
  }
  return mine;
}

}  // namespace pet::app
