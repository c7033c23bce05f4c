#include "app/pet-workbench/figures.h"

namespace pet::app {
namespace {

// `page`: that comes to the front, and what is chosen on it.
viz::FigureChoice figure(const char* number, const char* what, const char* example,
                         const char* page, std::map<std::string, std::string> choices = {}) {
  viz::Session session;
  session.source = {viz::SourceKind::Example, example, {}};
  session.page = page;
  session.choices = std::move(choices);
  const auto words = [](const char* text) { return QString::fromUtf8(text); };
  return {words("figure.") + words(number), words("Figure ") + words(number) + ": " + words(what),
          std::move(session)};
}

}  // namespace

std::vector<viz::FigureChoice> figures() {
  return {figure("1", "two images joined along the width", "joined", "regions"),
          figure("3", "a dilated convolution as a dense one", "dilated", "regions"),
          figure("4", "nine boxes and their summation intervals", "joined", "boxes",
                 {{"Show", "boxes of the value"}, {"Value", "original: Y = Conv(X, W)"}}),
          figure("5", "split points from operator to operator", "joined", "boxes",
                 {{"Show", "cuts, operator by operator"}}),
          figure("6", "a correction, and what it shares with the mutant", "joined", "correction")};
}

}  // namespace pet::app
