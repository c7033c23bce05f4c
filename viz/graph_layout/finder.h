// Finding nodes by what they are called: what was typed stands anywhere in a name, in capitals or
// not. One of what was found is the one looked at; it goes round.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/graph.h"

namespace pet::viz {

struct Findable {
  NodeId id;
  std::vector<std::string> names;  // of the node, its operator, its value
};

class Finder {
 public:
  Finder() = default;
  explicit Finder(std::vector<Findable> nodes);

  void look_for(std::string_view text);  // nothing: nothing is found
  // 1: the next one, -1: the one before; nothing where nothing was found.
  std::optional<NodeId> step(int direction);
  std::size_t found() const { return found_.size(); }
  std::string in_words() const;  // "3 of 17", "17 found", "not found", ""

 private:
  std::vector<Findable> nodes_;  // in small letters
  std::string text_;
  std::vector<NodeId> found_;
  std::optional<std::size_t> at_;
};

}  // namespace pet::viz
