#include "viz/graph_layout/finder.h"

#include <fmt/format.h>

#include <algorithm>

namespace pet::viz {
namespace {

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace

Finder::Finder(std::vector<Findable> nodes) : nodes_(std::move(nodes)) {
  for (Findable& node : nodes_)
    for (std::string& name : node.names) name = in_small_letters(name);
}

void Finder::look_for(std::string_view text) {
  text_ = in_small_letters(text);
  found_.clear();
  at_.reset();
  if (text_.empty()) return;
  const auto fits = [&](const std::string& name) { return name.find(text_) != std::string::npos; };
  for (const Findable& node : nodes_)
    if (std::ranges::any_of(node.names, fits)) found_.push_back(node.id);
}

std::optional<NodeId> Finder::step(int direction) {
  if (found_.empty()) return std::nullopt;
  if (!at_)
    at_ = direction > 0 ? 0 : found_.size() - 1;
  else
    at_ = (*at_ + (direction > 0 ? 1 : found_.size() - 1)) % found_.size();
  return found_[*at_];
}

std::string Finder::in_words() const {
  if (text_.empty()) return {};
  if (found_.empty()) return "not found";
  if (!at_) return fmt::format("{} found", found_.size());
  return fmt::format("{} of {}", *at_ + 1, found_.size());
}

}  // namespace pet::viz
