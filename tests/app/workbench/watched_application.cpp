#include "tests/app/workbench/watched_application.h"

#include <QEvent>
#include <QMetaEnum>
#include <algorithm>
#include <ctime>
#include <utility>

namespace pet::app {
namespace {

constexpr double kWorthTelling = 20;  // ms
constexpr std::size_t kMostTold = 8;

double thread_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

}  // namespace

bool WatchedApplication::notify(QObject* receiver, QEvent* event) {
  if (depth_ > 0) return QApplication::notify(receiver, event);
  // The receiver may be gone afterwards.
  const std::string who =
      std::string(receiver->metaObject()->className()) + " " + receiver->objectName().toStdString();
  const auto type = event->type();
  ++depth_;
  const double since = thread_ms();
  const bool out = QApplication::notify(receiver, event);
  const double ms = thread_ms() - since;
  --depth_;
  if (ms < kWorthTelling) return out;
  const char* name = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
  slow_.push_back({ms, who + ": " + (name == nullptr ? "?" : name)});
  return out;
}

std::vector<WatchedApplication::Handler> WatchedApplication::take_slowest() {
  auto out = std::exchange(slow_, {});
  std::ranges::sort(out, std::greater(), &Handler::ms);
  if (out.size() > kMostTold) out.resize(kMostTold);
  return out;
}

}  // namespace pet::app
