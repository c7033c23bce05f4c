#include "core/search/journal_format3.h"

#include <utility>

namespace pet::journal {
namespace {

template <class T>
T field(const Read& line, const char* name) {
  T out{};
  FieldReader{line}(name, out);
  return out;
}

std::string event_of(const Read& line) { return field<std::string>(line, "event"); }

}  // namespace

// A correction was told by the digest of what came of it; what that is called stands where it was
// measured.
void Format3::learn(const Read& line) {
  const std::string event = event_of(line);
  if (event != "candidate_measured" && event != "candidate_failed" && event != "mutant_verified")
    return;
  measured_.try_emplace(
      {field<std::size_t>(line, "subprogram"), field<std::string>(line, "program")},
      field<std::string>(line, "how"));
}

std::size_t Format3::id_of(std::size_t subprogram, const std::string& how, std::vector<Read>& told,
                           const Read& parent) {
  const auto [it, is_new] = ids_.try_emplace({subprogram, how}, next_[subprogram]);
  if (!is_new) return it->second;
  ++next_[subprogram];
  told.push_back({{"event", "mutant_shown"},
                  {"subprogram", subprogram},
                  {"id", it->second},
                  {"parent", parent},
                  {"round", 0U},
                  {"moves", Read::array({{{"move", "said"}, {"words", how}}})}});
  return it->second;
}

std::string Format3::corrected_name(std::size_t subprogram, const Read& line) const {
  const auto program = field<std::string>(line, "program");
  const auto found = measured_.find({subprogram, program});
  return found == measured_.end() ? field<std::string>(line, "how") + " (corrected)"
                                  : found->second;
}

std::vector<Read> Format3::translate(Read&& line) {
  std::vector<Read> out;
  const std::string event = event_of(line);
  const bool is_of_mutant = line.contains("how") && line.contains("subprogram");
  if (is_of_mutant) {
    const auto subprogram = field<std::size_t>(line, "subprogram");
    line["mutant"] = id_of(subprogram, field<std::string>(line, "how"), out);
    if (event == "mutant_corrected")
      line["corrected"] = id_of(subprogram, corrected_name(subprogram, line), out, line["mutant"]);
  }
  if (event == "mutant_verified") line["wrong"] = nullptr;
  if (event == "mutant_discarded") line["way"] = line["cost_ms"] = nullptr;
  if (event == "subprogram_found")
    line["operators"] = Read::array({field<std::string>(line, "operators")});
  if (event == "border_measured" || event == "border_failed")
    line["shape"] = Read::parse(field<std::string>(line, "shape"), nullptr, false);
  if (event == "plan_tried") {
    for (Read& part : line["parts"])
      part["mutant"] =
          id_of(field<std::size_t>(part, "subprogram"), field<std::string>(part, "how"), out);
  }
  out.push_back(std::move(line));
  return out;
}

}  // namespace pet::journal
