// One line on a terminal that says what is going on, overwritten by the next; nothing elsewhere.
#pragma once

#include <string>
#include <string_view>

namespace pet::app {

class Progress {
 public:
  Progress();
  void show(std::string_view line) const;
  void clear() const { show(""); }
  // What to write first so that a message stands in the place of the line.
  std::string erasing() const;

 private:
  bool on_;
};

}  // namespace pet::app
