#include "viz/views/page.h"

namespace pet::viz {

const Scene& Page::scene() const {
  static const Scene kNone;
  return kNone;
}

void Page::show_opened(const Opened& opened) {
  opened_ = opened;
  is_stale_ = true;
}

void Page::bring_up() {
  if (!is_stale_) return;
  is_stale_ = false;
  refresh();
}

}  // namespace pet::viz
