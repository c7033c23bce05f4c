#include "viz/views/page.h"

#include <QCheckBox>
#include <QComboBox>

namespace pet::viz {
namespace {

constexpr const char* kYes = "yes";
constexpr const char* kNo = "no";

std::string name_of(const QCheckBox& box) { return box.text().remove('&').toStdString(); }

}  // namespace

const Scene& Page::scene() const {
  static const Scene kNone;
  return kNone;
}

void Page::show_opened(const Opened& opened) {
  opened_ = opened;
  is_stale_ = true;
}

std::map<std::string, std::string> Page::choices() const {
  std::map<std::string, std::string> out;
  for (const auto* box : findChildren<QComboBox*>())
    if (!box->accessibleName().isEmpty() && box->currentIndex() >= 0)
      out[box->accessibleName().toStdString()] = box->currentText().toStdString();
  for (const auto* box : findChildren<QCheckBox*>())
    out[name_of(*box)] = box->isChecked() ? kYes : kNo;
  return out;
}

void Page::choose(const std::map<std::string, std::string>& choices) {
  for (auto* box : findChildren<QComboBox*>()) {
    const auto wanted = choices.find(box->accessibleName().toStdString());
    if (wanted == choices.end()) continue;
    const int number = box->findText(QString::fromStdString(wanted->second));
    if (number >= 0) box->setCurrentIndex(number);
  }
  for (auto* box : findChildren<QCheckBox*>()) {
    const auto wanted = choices.find(name_of(*box));
    if (wanted != choices.end()) box->setChecked(wanted->second == kYes);
  }
}

void Page::bring_up() {
  if (!is_stale_) return;
  is_stale_ = false;
  refresh();
}

}  // namespace pet::viz
