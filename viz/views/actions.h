// Every action of the window, once: menus, shortcuts and the palette are made of this list.
#pragma once

#include <QAction>
#include <QHash>
#include <QObject>
#include <QWidget>
#include <functional>

namespace pet::viz {

class Actions final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  struct What {
    QString id;       // "regions.next": never shown, never translated
    QString text;     // as menus and the palette have it
    QString tooltip;  // one sentence
    QKeySequence shortcut = {};
  };
  // REQUIRES: the id and the shortcut are new, text and tooltip are not empty
  // `of`: the page in whose menu it stands.
  QAction* add(const What& what, QWidget& of, std::function<void()> run);
  QAction* add(const What& what, std::function<void()> run);
  QAction* at(const QString& id) const;  // REQUIRES: it was added
  const QList<QAction*>& all() const { return all_; }

 private:
  QList<QAction*> all_;
  QHash<QString, QAction*> by_id_;
};

}  // namespace pet::viz
