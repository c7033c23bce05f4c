// Lines of the start page: what windows had open that were ended without being closed. Each can be
// gone on from, or forgotten; nobody is asked before that.
#pragma once

#include <QWidget>
#include <vector>

#include "viz/session/kept_session.h"

class QVBoxLayout;

namespace pet::viz {

class LeftList final : public QWidget {
  Q_OBJECT

 public:
  explicit LeftList(QWidget* parent = nullptr);

  void show_sessions(const std::vector<LeftSession>& sessions);
  QString in_words() const { return words_.join("\n"); }  // its lines

 Q_SIGNALS:
  void wanted(const QString& file);
  void unwanted(const QString& file);

 private:
  void add(const QString& words, const LeftSession& session);

  QVBoxLayout* lines_ = nullptr;
  QStringList words_;
};

}  // namespace pet::viz
