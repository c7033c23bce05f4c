#include <fmt/format.h>
#include <onnx/defs/parser.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>

#include "core/onnx/import.h"
#include "core/onnx/text.h"
#include "core/util/printable.h"

namespace pet {
namespace {

constexpr int kDeepestNesting = 32;
constexpr std::string_view kForm =
    "a case is 'original (float[2,3] x) => (float[2,3] y) { y = Relu(x) }' and 'mutant ...' like "
    "that, without a header in <>; '# opset: N' on top says which operator set, '# opset: N M' "
    "which two";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

using Headers = std::map<std::string, std::string>;

// "# key: value"; a comment without a key of one word is only a comment.
Headers headers_of(std::string_view text) {
  Headers headers;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    if (line.front() != '#') break;
    line = trimmed(line.substr(1));
    const auto colon = line.find(':');
    if (colon == std::string_view::npos ||
        line.substr(0, colon).find(' ') != std::string_view::npos)
      continue;
    headers.emplace(line.substr(0, colon), trimmed(line.substr(colon + 1)));
  }
  return headers;
}

// The parser calls itself for graphs in graphs and for types in types. Brackets in comments and
// strings, which have no escapes, are none: they must not make up for others.
bool is_nested_too_deeply(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#' || c == '"') i = std::min(text.find(c == '#' ? '\n' : '"', i + 1), text.size());
    if (c == '{' || c == '(') ++depth;
    if (c == '}' || c == ')') depth = std::max(depth - 1, 0);
    if (depth > kDeepestNesting) return true;
  }
  return false;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return printable(text);
}

// The original's and the mutant's.
Result<std::array<int, 2>> opsets_of(const Headers& headers) {
  std::array opsets = {kCaseOpset, kCaseOpset};
  const auto it = headers.find("opset");
  if (it == headers.end()) return opsets;
  const Error refused{fmt::format("opset '{}'", printable(it->second))};
  const char* begin = it->second.data();
  const char* const end = begin + it->second.size();
  std::size_t read = 0;
  while (begin != end && read < opsets.size()) {
    const auto [rest, failure] = std::from_chars(begin, end, opsets[read++]);
    if (failure != std::errc()) return refused;
    begin = std::find_if(rest, end, [](char c) { return c != ' '; });
  }
  if (begin != end || read == 0) return refused;
  if (read == 1) opsets[1] = opsets[0];
  return opsets;
}

// A case is there to be understood: what it does not mean to leave open it has to say in operators
// that we know.
Result<onnx_io::Unknown> unknown_of(const Headers& headers) {
  const auto it = headers.find("operators");
  if (it == headers.end()) return onnx_io::Unknown::Refused;
  if (it->second == "any") return onnx_io::Unknown::Opaque;
  return Error{fmt::format("operators '{}'; it says 'any' or nothing", printable(it->second))};
}

Result<Model> read_part(::onnx::OnnxParser& parser, const std::string& name, int opset,
                        onnx_io::Unknown unknown, const std::string& where,
                        const ReadOptions& options) {
  auto file = std::make_shared<onnx_io::ParsedFile>();
  file->path = where;
  file->proto.set_ir_version(8);
  file->proto.add_opset_import()->set_version(opset);
  try {
    const auto status = parser.Parse(*file->proto.mutable_graph());
    if (!status.IsOK()) {
      return Error{fmt::format("{}: {} (program '{}'; {})", printable(where),
                               one_line(status.ErrorMessage()), name, kForm)};
    }
  } catch (const std::exception&) {  // which says what function of the library it was
    return Error{fmt::format("{}: a number is too large to be read", printable(where))};
  }
  if (file->proto.graph().name() != name) {
    return Error{fmt::format("{}: expected the program '{}', not '{}'", printable(where), name,
                             printable(file->proto.graph().name()))};
  }
  file->digest = digest_of("onnx text", file->proto.SerializeAsString());
  auto model = onnx_io::import_model(std::move(file), options, unknown);
  if (!model) return std::move(model).error().within(name);
  return model;
}

}  // namespace

Result<CaseFile> parse_case(std::string_view text, const std::string& where,
                            const ReadOptions& options) {
  if (text.size() > kLargestCase)
    return Error{fmt::format("{}: too large for a case", printable(where))};
  if (text.find('\0') != std::string_view::npos)
    return Error{fmt::format("{}: no text", printable(where))};
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return Error{fmt::format("{}: empty; a case holds two programs, 'original' and 'mutant'",
                             printable(where))};
  if (is_nested_too_deeply(text))
    return Error{fmt::format("{}: nested too deeply", printable(where))};
  const auto headers = headers_of(text);
  const auto opsets = opsets_of(headers);
  if (!opsets) return Error(opsets.error()).within(printable(where));
  const auto unknown = unknown_of(headers);
  if (!unknown) return Error(unknown.error()).within(printable(where));
  const std::string terminated(text);
  ::onnx::OnnxParser parser(terminated.c_str());
  auto original = read_part(parser, "original", (*opsets)[0], *unknown, where, options);
  if (!original) return std::move(original).error();
  if (parser.EndOfInput())
    return Error{fmt::format("{}: no program 'mutant' follows 'original'", printable(where))};
  auto mutant = read_part(parser, "mutant", (*opsets)[1], *unknown, where, options);
  if (!mutant) return std::move(mutant).error();
  if (!parser.EndOfInput())
    return Error{fmt::format("{}: more than two programs", printable(where))};
  return CaseFile{headers, *std::move(original), *std::move(mutant)};
}

Result<std::string> read_case_text(const std::filesystem::path& path) {
  const auto held = onnx_io::FileBytes::read(path, {kLargestCase, "too large for a case"});
  if (!held) return held.error();
  return std::string(held->text());
}

Result<CaseFile> read_case(const std::filesystem::path& path, const ReadOptions& options) {
  const auto text = read_case_text(path);
  if (!text) return text.error();
  return parse_case(*text, path.string(), options);
}

}  // namespace pet
