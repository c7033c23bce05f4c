// Compares every call of the files with what our definitions make of it. Exit code 0: all that are
// interpreted agree.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "core/ops/ops.h"
#include "tests/oracle/call_file.h"
#include "tests/support/real_values.h"

namespace pet::test {
namespace {

std::string difference(const Values& ours, const Values& theirs, Real tolerance) {
  if (ours.shape != theirs.shape) {
    return fmt::format("shape {} instead of {}", to_string(ours.shape), to_string(theirs.shape));
  }
  Real scale = 1;
  for (const Real x : theirs.data) {
    if (std::isfinite(x)) scale = std::max(scale, std::abs(x));
  }
  for (std::size_t i = 0; i < theirs.data.size(); ++i) {
    if (!std::isfinite(theirs.data[i])) continue;  // not covered: our meaning is over the reals
    if (!(std::abs(ours.data[i] - theirs.data[i]) <= tolerance * scale)) {
      return fmt::format("element {} is {} instead of {}", i, static_cast<double>(ours.data[i]),
                         static_cast<double>(theirs.data[i]));
    }
  }
  return "";
}

// By the definition, and by the evaluator that everything else uses.
std::string difference(const std::vector<Meant>& ours, const Call& call) {
  if (ours.size() != call.results.size()) {
    return fmt::format("{} results instead of {}", ours.size(), call.results.size());
  }
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto& [meaning, operands] = ours[i];
    std::string what = difference(interpret(meaning, operands), call.results[i], call.tolerance);
    if (!what.empty()) return fmt::format("result {}: {}", i, what);
    const auto fast = evaluate_fast(meaning, operands);
    what = fast ? difference(*fast, call.results[i], call.tolerance) : fast.error().message;
    if (!what.empty()) return fmt::format("result {}, fast evaluator: {}", i, what);
  }
  return "";
}

struct Tally {
  std::size_t agreed = 0;
  std::size_t failed = 0;
  std::set<std::string> operators;
  std::vector<std::string> opaque;
};

void judge(const Call& call, Tally& tally) {
  const auto ours = meanings(call);
  if (!ours && ours.error().kind == ErrorKind::Unsupported) {
    tally.opaque.push_back(fmt::format("{}: {}", call.name, ours.error().message));
    return;
  }
  const std::string what = ours ? difference(*ours, call) : "refused: " + ours.error().message;
  if (what.empty()) {
    ++tally.agreed;
    tally.operators.insert(call.node.op_type);
  } else {
    ++tally.failed;
    fmt::print("FAILED {} ({} {}): {}\n", call.name, call.node.op_type, call.node.opset, what);
  }
}

}  // namespace
}  // namespace pet::test

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--list") {
    for (const auto* def : pet::ops::all()) fmt::print("{}\n", def->name);
    return 0;
  }
  pet::test::Tally tally;
  for (int i = 1; i < argc; ++i) {
    for (const auto& call : pet::test::read_calls(argv[i])) pet::test::judge(call, tally);
  }
  fmt::print("opaque, with the reason:\n");
  for (const auto& line : tally.opaque) fmt::print("  {}\n", line);
  fmt::print("{} calls of {} operators agree, {} fail, {} are opaque\n", tally.agreed,
             tally.operators.size(), tally.failed, tally.opaque.size());
  return tally.failed == 0 && tally.agreed > 0 ? 0 : 1;
}
