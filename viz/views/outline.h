// The outline: what was opened, as a tree of words. Entries that stand for nodes of a model say so,
// so that whoever draws the model can go there, and back.
#pragma once

#include <QTreeWidget>

#include "viz/views/opened.h"

class QString;

namespace pet::viz {

class OutlineTree final : public QTreeWidget {
  Q_OBJECT

 public:
  explicit OutlineTree(QWidget* parent = nullptr);

  // Both programs, operator by operator.
  void show_pair(const OpenedPair& pair);
  // Subprograms with the places where each is found, then what is opaque and why.
  void show_model(const OpenedModel& opened);
  // Makes the first entry current that stands for the node; none where no entry does.
  void show_node(NodeId id);

 Q_SIGNALS:
  void node_wanted(NodeId id);  // the last one of an entry that was clicked or entered

 private:
  void add_subprograms(const OpenedModel& opened);
  void add_opaque(const Model& model);
};

// "32 nodes in the file; 31 linear operators in 21 sets; 0 opaque".
QString facts_of(const OpenedModel& opened);

}  // namespace pet::viz
