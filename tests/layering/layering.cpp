#include "tests/layering/layering.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string_view>

namespace pet {
namespace {

namespace fs = std::filesystem;

// A part whose folders have an order, bottom to top: one includes itself and what stands before it.
struct Order {
  std::string_view part;
  std::vector<std::string_view> folders;  // "": the files of the part itself
  // The first includes no header of the second, which stands before it all the same: what rewrites
  // programs knows nothing of files, and engines share nothing.
  std::vector<std::pair<std::string_view, std::string_view>> strangers = {};
};

const std::vector<Order>& orders() {
  static const std::vector<Order> all = {
      {"core",
       {"util", "ir", "ops", "analysis", "eval", "onnx", "cost", "program", "rewrite", "egraph",
        "backend", "search", "run"},
       {{"cost", "onnx"}, {"program", "onnx"}, {"rewrite", "onnx"}, {"egraph", "onnx"}}},
      {"verify",
       {"values", "verdict", "theorem", "bitmap", "exact", "region", "smt", "rounding", "pairs",
        "weights", "symmetry", "places", "files", "all_sizes", "reduce", "rules", "self_test",
        "inspect"},
       {{"bitmap", "theorem"},
        {"exact", "theorem"},
        {"exact", "bitmap"},
        {"region", "theorem"},
        {"region", "bitmap"},
        {"region", "exact"},
        {"smt", "theorem"},
        {"smt", "bitmap"},
        {"smt", "exact"},
        {"smt", "region"},
        {"rounding", "theorem"},
        {"rounding", "exact"},
        {"rounding", "region"},
        {"rounding", "smt"}}},
      {"gpu", {"kernel", "launch", "lower", "emulate", "device", "check", ""}},
      {"viz", {"words", "geometry", "graph_layout", "session", "models", "views"}}};
  return all;
}

constexpr std::array kParts = {"core", "verify", "viz", "gpu", "app"};

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> found;
  if (!fs::exists(folder)) return found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (entry.is_regular_file() &&
        (extension == ".h" || extension == ".cpp" || extension == ".cu")) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool may_include_part(std::string_view from, std::string_view to) {
  return from == to || from == "app" || (to == "core" && from != "core");
}

// Its folder inside of its part; empty for files of the part itself.
std::string folder_of(const fs::path& relative) {
  const fs::path folders = relative.parent_path();
  return std::distance(folders.begin(), folders.end()) < 2 ? ""
                                                           : std::next(folders.begin())->string();
}

std::optional<std::size_t> place_of(const Order& order, const fs::path& relative) {
  const auto found = std::ranges::find(order.folders, folder_of(relative));
  if (found == order.folders.end()) return std::nullopt;
  return static_cast<std::size_t>(found - order.folders.begin());
}

// Headers of Qt are called QWidget, QtGlobal and the like.
bool is_of_qt(const fs::path& target) {
  const std::string name = target.begin()->string();
  return name.size() > 1 && name[0] == 'Q' &&
         (std::isupper(static_cast<unsigned char>(name[1])) != 0 || name[1] == 't');
}

bool may_include_qt(const fs::path& file) {
  const std::string name = file.string();
  return name.starts_with("viz/models/") || name.starts_with("viz/views/") ||
         name.starts_with("app/pet-workbench/");
}

// What is wrong with `file` (relative to the root) including `target`, or nothing.
std::string complaint(const fs::path& file, const fs::path& target) {
  const std::string from = file.begin()->string();
  const std::string to = target.begin()->string();
  if (std::find(target.begin(), target.end(), "..") != target.end())
    return "includes go from the root, without ..";
  if (is_of_qt(target) && !may_include_qt(file))
    return "Qt stands in viz/models, viz/views and app/pet-workbench alone";
  if (to == "tests") return from + " may not include tests";
  if (std::find(kParts.begin(), kParts.end(), to) == kParts.end()) return "";
  if (!may_include_part(from, to)) return from + " may not include " + to;
  const auto order = std::ranges::find(orders(), from, &Order::part);
  if (from != to || order == orders().end()) return "";
  const auto own = place_of(*order, file);
  const auto other = place_of(*order, target);
  if (!own) return fmt::format("this folder has no place in the order of {}'s folders", from);
  if (!other)
    return fmt::format("the included folder has no place in the order of {}'s folders", from);
  const auto named = [&](std::size_t place) {
    const std::string_view folder = order->folders[place];
    return folder.empty() ? from : fmt::format("{}/{}", from, folder);
  };
  const std::pair pair(order->folders[*own], order->folders[*other]);
  const bool strange = std::ranges::find(order->strangers, pair) != order->strangers.end();
  if (*other > *own || strange)
    return fmt::format("{} may not include {}", named(*own), named(*other));
  return "";
}

std::string slurp(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::vector<std::string> layering_violations(const fs::path& root) {
  static const std::regex include(R"re(^\s*#\s*include\s*["<]([^">]+)[">])re");
  std::vector<std::string> violations;
  for (const char* part : kParts) {
    for (const fs::path& file : sources_below(root / part)) {
      const fs::path relative = fs::relative(file, root);
      std::ifstream in(file);
      std::string line;
      for (int number = 1; std::getline(in, line); ++number) {
        std::smatch match;
        if (!std::regex_search(line, match, include)) continue;
        const std::string why = complaint(relative, fs::path(match[1].str()));
        if (!why.empty()) {
          violations.push_back(
              fmt::format("{}:{}: {} ({})", relative.string(), number, why, match[1].str()));
        }
      }
    }
  }
  return violations;
}

std::vector<std::string> operator_list_violations(const fs::path& root) {
  static const std::regex line(R"((?:^|\n)[ \t]*[A-Z_]*OP\(\s*(\w+))");
  static const std::regex definition(R"((?:^|\n)const OpDef& (\w+)\(\)\s*\{)");
  const fs::path list = root / "core/ops/all_ops.def";
  if (!fs::exists(list)) return {};

  std::set<std::string> listed;
  const std::string list_text = slurp(list);
  for (std::sregex_iterator it(list_text.begin(), list_text.end(), line), end; it != end; ++it) {
    listed.insert((*it)[1]);
  }
  std::map<std::string, std::string> defined;
  for (const fs::path& file : sources_below(root / "core/ops")) {
    if (file.extension() != ".cpp") continue;
    const std::string text = slurp(file);
    for (std::sregex_iterator it(text.begin(), text.end(), definition), end; it != end; ++it) {
      defined.emplace((*it)[1], fs::relative(file, root).string());
    }
  }

  std::vector<std::string> violations;
  for (const auto& [name, file] : defined) {
    if (!listed.contains(name)) {
      violations.push_back(
          fmt::format("{}: operator {} has no line in core/ops/all_ops.def", file, name));
    }
  }
  for (const std::string& name : listed) {
    if (!defined.contains(name)) {
      violations.push_back(
          fmt::format("core/ops/all_ops.def: {} has no definition in core/ops/*.cpp", name));
    }
  }
  if (listed.empty())
    violations.push_back("core/ops/all_ops.def: no line was recognised as an operator");
  return violations;
}

}  // namespace pet
