#include "viz/views/actions.h"

#include <algorithm>

#include "core/util/check.h"

namespace pet::viz {

QAction* Actions::add(const What& what, std::function<void()> run) {
  PET_CHECK(!by_id_.contains(what.id), "an action is added once");
  PET_CHECK(!what.text.isEmpty() && !what.tooltip.isEmpty(), "an action has a text and a tooltip");
  PET_CHECK(what.shortcut.isEmpty() ||
                std::ranges::none_of(
                    all_, [&](const QAction* other) { return other->shortcut() == what.shortcut; }),
            "a shortcut stands for one action");
  auto* action = new QAction(what.text, this);
  action->setObjectName(what.id);
  action->setToolTip(what.tooltip);
  action->setStatusTip(what.tooltip);
  action->setShortcut(what.shortcut);
  connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
  all_.append(action);
  by_id_.insert(what.id, action);
  return action;
}

QAction* Actions::add(const What& what, QWidget& of, std::function<void()> run) {
  QAction* action = add(what, std::move(run));
  of.addAction(action);
  return action;
}

QAction* Actions::at(const QString& id) const {
  PET_CHECK(by_id_.contains(id), "there is no such action");
  return by_id_.value(id);
}

}  // namespace pet::viz
