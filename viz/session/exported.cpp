#include "viz/session/exported.h"

#include <fmt/format.h>

#include "core/util/plural.h"
#include "core/util/printable.h"

namespace pet::viz {

std::string label_of(const ExportedFile& file) {
  if (!file.measured) return "proved, not measured";
  const Ratio& ratio = file.measured->ratio;
  return fmt::format("proved and measured: {:.3f} times as fast, at least {:.3f}", ratio.median,
                     ratio.low);
}

std::string in_words(const ExportedFile& file) {
  std::string out =
      fmt::format("{} is written: {}", printable(file.written.path.string()), label_of(file));
  out += fmt::format("; {} changed", plural(file.places, "place"));
  if (file.left_alone > 0) out += fmt::format(", {} left alone (they overlap)", file.left_alone);
  return out;
}

std::string changes_of(const FileFacts& original, const FileFacts& written) {
  const auto count = [](const FileFacts& of, const std::string& name) {
    const auto found = of.operators.find(name);
    return found == of.operators.end() ? 0 : found->second;
  };
  std::map<std::string, std::size_t> all = original.operators;
  all.insert(written.operators.begin(), written.operators.end());
  std::string out;
  for (const auto& [name, ignored] : all) {
    const std::size_t before = count(original, name);
    const std::size_t after = count(written, name);
    if (before == after) continue;
    out += fmt::format("{}{} {} → {}", out.empty() ? "" : ", ", name, before, after);
  }
  return out.empty() ? "the same operators" : out;
}

}  // namespace pet::viz
