#include "core/rewrite/rule.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "core/util/printable.h"

namespace pet::rules {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kFormat1 = "tensor-rules/1";
constexpr std::string_view kFormat2 = "tensor-rules/2";
// TASO's and TENSAT's rules average their pools over the whole kernel, and pad SAME at the end.
constexpr std::string_view kSemantics =
    "float64 numpy; SAME = SAME_UPPER, average pooling divides by the full kernel area (padding "
    "counted), max pooling ignores padding";
constexpr std::size_t kMostOps = 64;
constexpr std::size_t kMostInputs = 32;

struct Malformed {
  std::string what;
};

[[noreturn]] void refuse(std::string what) { throw Malformed{std::move(what)}; }

const Json& member(const Json& json, const char* key) {
  if (!json.is_object()) refuse(fmt::format("no object where \"{}\" is looked for", key));
  const auto it = json.find(key);
  if (it == json.end()) refuse(fmt::format("it has no \"{}\"", key));
  return *it;
}

std::string text(const Json& json, const char* what) {
  if (!json.is_string()) refuse(fmt::format("{} is no text", what));
  return json.get<std::string>();
}

const Json& list(Json&&, const char*, std::size_t) = delete;
const Json& list(const Json& json, const char* what, std::size_t most) {
  if (!json.is_array()) refuse(fmt::format("{} is no list", what));
  if (json.size() > most) refuse(fmt::format("{} has more than {} entries", what, most));
  return json;
}

Dim whole(const Json& json, const char* what, Dim most) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > static_cast<std::uint64_t>(most))
    refuse(fmt::format("{} is no number from 0 to {}", what, most));
  return json.get<Dim>();
}

class Reader {
 public:
  Reader(const Json& json, bool is_format2) : json_(json), is_format2_(is_format2) {}

  Rule read() {
    rule_.id = text(member(json_, "id"), "\"id\"");
    for (const Json& input : list(member(json_, "inputs"), "\"inputs\"", kMostInputs)) {
      RuleInput& into = rule_.inputs.emplace_back();
      into.name = text(member(input, "name"), "an input's name");
      into.rank = static_cast<std::size_t>(
          whole(member(input, "rank"), "an input's rank", static_cast<Dim>(kMaxRank)));
      into.leading = flag(input, "leading");
      if (into.name.empty() || !names_.insert(into.name).second)
        refuse(fmt::format("two inputs are called \"{}\"", printable(into.name)));
    }
    rule_.source = program(member(json_, "source"));
    rule_.target = program(member(json_, "target"));
    if (rule_.source.outputs.size() != rule_.target.outputs.size())
      refuse("source and target have different numbers of outputs");
    rule_.any_geometry = flag(json_, "geometry");
    if (is_format2_ && json_.contains("condition"))
      rule_.condition = text(json_["condition"], "\"condition\"");
    if (json_.contains("generator_shapes") && !json_["generator_shapes"].is_null())
      rule_.given_shapes = shapes(json_["generator_shapes"]);
    return std::move(rule_);
  }

 private:
  // Of format 2; what format 1 says beside its own is for people.
  bool flag(const Json& json, const char* key) const {
    const auto it = json.find(key);
    if (!is_format2_ || it == json.end()) return false;
    if (!it->is_boolean()) refuse(fmt::format("\"{}\" is neither true nor false", key));
    return it->get<bool>();
  }

  RuleProgram program(const Json& json) const {
    RuleProgram out;
    for (const Json& op : list(member(json, "ops"), "\"ops\"", kMostOps)) {
      RuleOp next;
      next.name = text(member(op, "op"), "an operator");
      for (const Json& operand : list(member(op, "inputs"), "an operator's inputs", kMostInputs))
        next.operands.push_back(reference(operand, out));
      if (op.contains("attrs")) next.attrs = attrs(op["attrs"]);
      out.ops.push_back(std::move(next));
    }
    for (const Json& output : list(member(json, "outputs"), "\"outputs\"", kMostInputs))
      out.outputs.push_back(reference(output, out));
    if (out.outputs.empty()) refuse("a program has no outputs");
    return out;
  }

  Reference reference(const Json& json, const RuleProgram& so_far) const {
    if (!json.is_object())
      refuse("an operand is neither {\"in\": NAME} nor {\"op\": N, \"out\": K}");
    Reference out;
    if (json.contains("in")) {
      out.input = text(json["in"], "\"in\"");
      if (!names_.contains(out.input))
        refuse(fmt::format("no input is called \"{}\"", printable(out.input)));
      return out;
    }
    out.op = static_cast<std::size_t>(whole(member(json, "op"), "\"op\"", kMostOps));
    out.output = json.contains("out")
                     ? static_cast<std::size_t>(whole(json["out"], "\"out\"", kMostInputs))
                     : 0;
    if (out.op >= so_far.ops.size()) refuse("an operator reads one that is not before it");
    return out;
  }

  static std::map<std::string, RuleAttr> attrs(const Json& json) {
    if (!json.is_object()) refuse("\"attrs\" is no object");
    std::map<std::string, RuleAttr> out;
    for (const auto& [key, value] : json.items()) {
      if (value.is_string()) {
        out[key] = value.get<std::string>();
      } else if (value.is_array()) {
        auto& numbers = out[key].emplace<std::vector<Dim>>();
        for (const Json& number : list(value, "an attribute", kMostInputs))
          numbers.push_back(whole(number, "an attribute", kMaxElements));
      } else {
        out[key] = whole(value, "an attribute", kMaxElements);
      }
    }
    return out;
  }

  std::map<std::string, Shape> shapes(const Json& json) const {
    std::map<std::string, Shape> out;
    for (const RuleInput& input : rule_.inputs) {
      for (const Json& size : list(member(json, input.name.c_str()), "a shape", kMaxRank))
        out[input.name].push_back(whole(size, "a size", kMaxElements));
      if (out[input.name].size() != input.rank) refuse("a shape has not the rank of its input");
    }
    return out;
  }

  const Json& json_;
  bool is_format2_;
  Rule rule_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<Dim> RuleOp::integers(const std::string& attr) const {
  const auto it = attrs.find(attr);
  const auto* value = it == attrs.end() ? nullptr : std::get_if<std::vector<Dim>>(&it->second);
  return value != nullptr ? *value : std::vector<Dim>{};
}

Dim RuleOp::integer(const std::string& attr, Dim otherwise) const {
  const auto it = attrs.find(attr);
  const Dim* value = it == attrs.end() ? nullptr : std::get_if<Dim>(&it->second);
  return value != nullptr ? *value : otherwise;
}

std::string RuleOp::text(const std::string& attr, const std::string& otherwise) const {
  const auto it = attrs.find(attr);
  const auto* value = it == attrs.end() ? nullptr : std::get_if<std::string>(&it->second);
  return value != nullptr ? *value : otherwise;
}

Result<RuleFile> parse_rules(const std::string& text_of_file, const std::string& where) {
  const auto malformed = [&](const std::string& what) {
    return Error{fmt::format("{}: {}", printable(where), what), ErrorKind::Malformed};
  };
  const Json json = Json::parse(text_of_file, nullptr, false);
  if (json.is_discarded()) return malformed("it is no JSON");
  RuleFile out;
  try {
    const std::string format = text(member(json, "format"), "\"format\"");
    if (format != kFormat1 && format != kFormat2)
      refuse(fmt::format("its format is neither {} nor {}", kFormat1, kFormat2));
    if (json.contains("numeric_semantics") &&
        text(json["numeric_semantics"], "\"numeric_semantics\"") != kSemantics)
      return Error{fmt::format("{}: numeric semantics other than \"{}\" are not known",
                               printable(where), kSemantics),
                   ErrorKind::Unsupported};
    constexpr std::size_t kMostRules = 100'000;
    for (const Json& rule : list(member(json, "rules"), "\"rules\"", kMostRules)) {
      try {
        out.rules.push_back(Reader(rule, format == kFormat2).read());
        out.statuses.push_back(rule.contains("status") ? text(rule["status"], "\"status\"") : "");
      } catch (const Malformed& error) {
        refuse(fmt::format("rule {}: {}", out.statuses.size() + 1, error.what));
      }
    }
    if (out.rules.empty()) refuse("it holds no rule");
    if (json.contains("count") && json["count"] != out.rules.size())
      refuse(fmt::format("\"count\" says {}, and it holds {}", json["count"].dump(),
                         out.rules.size()));
    std::set<std::string> ids;
    for (const Rule& rule : out.rules) {
      if (!ids.insert(rule.id).second)
        refuse(fmt::format("two rules are called \"{}\"", printable(rule.id)));
    }
  } catch (const Malformed& error) {
    return malformed(error.what);
  }
  return out;
}

namespace {

using Written = nlohmann::ordered_json;

Written json_of(const Reference& to) {
  if (!to.input.empty()) return {{"in", to.input}};
  return {{"op", to.op}, {"out", to.output}};
}

Written json_of(const std::vector<Reference>& references) {
  Written out = Written::array();
  for (const Reference& reference : references) out.push_back(json_of(reference));
  return out;
}

Written json_of(const RuleProgram& program) {
  Written ops = Written::array();
  for (const RuleOp& op : program.ops) {
    Written one = {{"op", op.name}, {"inputs", json_of(op.operands)}};
    for (const auto& [name, attr] : op.attrs)
      std::visit([&](const auto& value) { one["attrs"][name] = value; }, attr);
    ops.push_back(std::move(one));
  }
  return {{"ops", std::move(ops)}, {"outputs", json_of(program.outputs)}};
}

Written json_of(const Rule& rule, const std::string& status) {
  Written out = {{"id", rule.id}};
  if (!status.empty()) out["status"] = status;
  if (!rule.condition.empty()) out["condition"] = rule.condition;
  if (rule.any_geometry) out["geometry"] = true;
  for (const RuleInput& input : rule.inputs) {
    Written one = {{"name", input.name}, {"rank", input.rank}};
    if (input.leading) one["leading"] = true;
    out["inputs"].push_back(std::move(one));
  }
  out["source"] = json_of(rule.source);
  out["target"] = json_of(rule.target);
  return out;
}

}  // namespace

std::string rules_text(const RuleFile& file, const std::string& source,
                       const std::string& license) {
  const Written head = {{"format", kFormat2},
                        {"source", source},
                        {"license", license},
                        {"count", file.rules.size()},
                        {"numeric_semantics", kSemantics}};
  // A line a rule.
  std::string out = head.dump();
  out.pop_back();
  out += ", \"rules\": [\n";
  for (std::size_t i = 0; i < file.rules.size(); ++i)
    out += json_of(file.rules[i], file.statuses[i]).dump() +
           (i + 1 < file.rules.size() ? ",\n" : "\n");
  return out + "]}\n";
}

Result<RuleFile> read_rules(const std::filesystem::path& path) {
  std::error_code failure;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path, failure))
    return Error{fmt::format("{}: cannot be read: {}", printable(path.string()),
                             stream ? "it is a folder" : std::strerror(errno)),
                 ErrorKind::Malformed};
  // What never ends (a device) is no file of rules; and a byte may become a hundred as a tree.
  constexpr std::size_t kLargestFile = std::size_t{1} << 24;
  std::string bytes;
  for (std::istreambuf_iterator<char> it(stream), end; it != end; ++it) {
    if (bytes.size() == kLargestFile)
      return Error{fmt::format("{}: too large for a file of rules", printable(path.string())),
                   ErrorKind::Malformed};
    bytes += *it;
  }
  return parse_rules(bytes, path.string());
}

}  // namespace pet::rules
