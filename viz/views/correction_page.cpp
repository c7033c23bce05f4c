#include "viz/views/correction_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/util/plural.h"
#include "viz/graph_layout/folded.h"
#include "viz/views/actions.h"
#include "viz/views/page_parts.h"
#include "viz/views/scene_view.h"

namespace pet::viz {
namespace {

QString text(std::string_view words) {
  return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

Role role_of(CorrectionRole role) {
  switch (role) {
    case CorrectionRole::Mutant:
      return Role::Frame;
    case CorrectionRole::Shared:
      return Role::Selected;
    case CorrectionRole::Recomputed:
      return Role::Wrong;
    case CorrectionRole::Gathered:
      return Role::Unknown;
    case CorrectionRole::Pasted:
      return Role::Corrected;
  }
  return Role::Frame;
}

// "node:12".
std::optional<std::size_t> node_of(std::string_view id) {
  constexpr std::string_view kNode = "node:";
  std::size_t out = 0;
  if (!id.starts_with(kNode)) return std::nullopt;
  const auto [rest, bad] = std::from_chars(id.data() + kNode.size(), id.data() + id.size(), out);
  return bad == std::errc() && rest == id.data() + id.size() ? std::optional(out) : std::nullopt;
}

// What has that purpose stands out.
void mark(Scene& scene, const RepairWay& way, CorrectionRole role) {
  std::vector<Item> marks;
  for (const Item& item : scene.items) {
    const auto* area = std::get_if<Area>(&item.shape);
    const auto node = node_of(item.id);
    if (area != nullptr && node && way.roles[*node].role == role)
      marks.push_back({Outline{area->at, Role::Selected, 4}});
  }
  scene.items.insert(scene.items.end(), marks.begin(), marks.end());
}

// The corrected program, each operator with the word for what it is there for.
Scene scene_of(const RepairWay& way) {
  FoldedGraph drawn = folded(
      *way.program, std::vector<std::optional<std::size_t>>(way.program->nodes().size()), {});
  for (DrawnNode& node : drawn.nodes) {
    if (node.nodes.empty() || node.kind == DrawnNode::Kind::Input) continue;
    const NodeRole& role = way.roles[node.nodes.front().index()];
    node.border = role_of(role.role);
    if (role.role == CorrectionRole::Mutant) continue;
    node.title += ": " + std::string(to_string(role.role));
    if (role.box) node.title += " box " + std::to_string(*role.box + 1);
  }
  return graph_scene(drawn);
}

}  // namespace

CorrectionPage::CorrectionPage(Inspect inspect, Jobs& jobs, QWidget* parent)
    : Page(parent), inspect_(std::move(inspect)), jobs_(jobs) {
  build();
}

void CorrectionPage::build() {
  headline_ =
      words_label(tr("Corrections are of a pair that is wrong somewhere: open one"), kHeadline);
  facts_ = words_label();
  auto* apply = new QPushButton(tr("Apply and check again"));
  auto* line = new QHBoxLayout;
  way_ = add_choice(*line, tr("Way"));
  line->addWidget(apply);
  line->addStretch();
  view_ = new SceneView;
  view_->setAccessibleName(tr("The corrected program; the table below says the same by parts"));
  auto* scroll = scrolled(view_);
  parts_ = new RepairTable(this);
  table_ = table_of(parts_, tr("Parts of the corrected program"));
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(RepairTable::Part, QHeaderView::Stretch);
  auto* both = new QSplitter(Qt::Vertical);
  both->addWidget(table_);
  both->addWidget(scroll);
  both->setStretchFactor(0, 1);
  both->setStretchFactor(1, 2);
  auto* all = new QVBoxLayout(this);
  all->addWidget(headline_);
  all->addWidget(facts_);
  all->addLayout(line);
  all->addWidget(both, 1);
  connect(way_, &QComboBox::currentIndexChanged, this, &CorrectionPage::choose);
  connect(apply, &QPushButton::clicked, this, &CorrectionPage::apply);
  connect(view_, &SceneView::chosen, this, &CorrectionPage::select_node);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) select(static_cast<std::size_t>(now.row()));
          });
}

void CorrectionPage::add_actions(Actions& actions) {
  actions.add({"correction.next", tr("&Next way"), tr("The next way to correct the pair"),
               QKeySequence("Ctrl+L")},
              *this, [this] {
                if (way_->count() > 0)
                  way_->setCurrentIndex((way_->currentIndex() + 1) % way_->count());
              });
  actions.add({"correction.apply", tr("&Apply and check again"),
               tr("Open the corrected program beside the original, and check every position"),
               QKeySequence("Ctrl+Shift+L")},
              *this, [this] { apply(); });
}

void CorrectionPage::refresh() {
  show_repair({});
  const auto pair = opened().pair;
  if (!pair || !pair->original || pair->outputs.empty()) {
    headline_->setText(tr("Corrections are of a pair that is wrong somewhere: open one"));
    return;
  }
  const InspectedOutput& output = pair->outputs.front();
  if (!output.reason.empty()) {
    headline_->setText(tr("Where it is wrong is not known: %1").arg(text(output.reason)));
    return;
  }
  headline_->setText(tr("Looking for ways to correct it …"));
  jobs_.start("repair", "ways to correct " + pair->name,
              [this, pair](const std::stop_token&) -> Result<Delivery> {
                auto repair =
                    repair_of(*pair->original, *pair->mutant, pair->outputs.front().wrong);
                return Delivery([this, pair, repair = std::move(repair)] {
                  if (opened().pair == pair) show_repair(repair);
                });
              });
}

void CorrectionPage::show_repair(const Repair& repair) {
  repair_ = repair;
  {
    const QSignalBlocker quiet(way_);
    way_->clear();
    for (const RepairWay& way : repair_.ways)
      way_->addItem(way.closed.empty() ? text(to_string(way.way))
                                       : tr("%1 (closed)").arg(text(to_string(way.way))));
  }
  const auto open =
      std::ranges::count_if(repair_.ways, [](const RepairWay& way) { return way.closed.empty(); });
  if (!repair_.reason.empty())
    headline_->setText(text(repair_.reason));
  else
    headline_->setText(tr("%1 of %2 to correct it %3 open")
                           .arg(open)
                           .arg(text(plural(repair_.ways.size(), "way")),
                                repair_.ways.size() == 1 ? tr("is") : tr("are")));
  const auto first =
      std::ranges::find_if(repair_.ways, [](const RepairWay& way) { return way.closed.empty(); });
  choose(first == repair_.ways.end() ? 0 : static_cast<int>(first - repair_.ways.begin()));
}

const RepairWay* CorrectionPage::chosen() const {
  const int at = way_->currentIndex();
  if (at < 0 || !repair_.ways[static_cast<std::size_t>(at)].program) return nullptr;
  return &repair_.ways[static_cast<std::size_t>(at)];
}

void CorrectionPage::choose(int number) {
  {
    const QSignalBlocker quiet(way_);
    way_->setCurrentIndex(repair_.ways.empty() ? -1 : number);
  }
  const RepairWay* way = chosen();
  part_.reset();
  parts_->show(way);
  table_->resizeColumnsToContents();
  table_->horizontalHeader()->setSectionResizeMode(RepairTable::Part, QHeaderView::Stretch);
  draw();
  if (way != nullptr) {
    facts_->setText(
        tr("Modelled: the original %1 ms, the mutant %2 ms, corrected %3 ms: %4 times as fast as "
           "the original. It repairs %5. Models leave out what layouts cost: measure it.")
            .arg(repair_.original_ms, 0, 'g', 3)
            .arg(repair_.mutant_ms, 0, 'g', 3)
            .arg(way->ms, 0, 'g', 3)
            .arg(repair_.original_ms / way->ms, 0, 'f', 2)
            .arg(text(plural(way->repairs.boxes.size(), "box"))));
  } else if (!repair_.ways.empty()) {
    facts_->setText(tr("This way is closed: %1")
                        .arg(text(repair_.ways[static_cast<std::size_t>(number)].closed)));
  } else {
    facts_->clear();
  }
  Q_EMIT changed();
}

void CorrectionPage::draw() {
  const RepairWay* way = chosen();
  if (way == nullptr) return view_->show_scene({});
  Scene scene = scene_of(*way);
  if (part_ && *part_ < way->parts.size()) mark(scene, *way, way->parts[*part_].role);
  view_->show_scene(std::move(scene));
}

// The last row is the whole, which has no operators of its own.
void CorrectionPage::select(std::optional<std::size_t> part) {
  if (part_ == part) return;
  part_ = part;
  if (part) {
    const QModelIndex row = parts_->index(static_cast<int>(*part), RepairTable::Part);
    table_->setCurrentIndex(row);
    Q_EMIT selected(row.data().toString());
  } else {
    table_->clearSelection();
    table_->setCurrentIndex({});
  }
  draw();
  Q_EMIT changed();
}

void CorrectionPage::select_node(const QString& id) {
  const RepairWay* way = chosen();
  const auto node = node_of(id.toStdString());
  if (way == nullptr || !node) return select(std::nullopt);
  const auto part = std::ranges::find(way->parts, way->roles[*node].role, &RepairPart::role);
  select(part == way->parts.end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(part - way->parts.begin())));
}

void CorrectionPage::apply() {
  const RepairWay* way = chosen();
  if (way == nullptr) return;
  const auto pair = opened().pair;
  const std::string name = pair->name + ", corrected by " + std::string(to_string(way->way));
  jobs_.start("apply", "checking " + name,
              [this, pair, name, way = *way](const std::stop_token& stop) -> Result<Delivery> {
                auto again = inspect_(*pair->original, *way.program, name, stop);
                if (!again) return again.error();
                again->moves = pair->moves;
                again->places = pair->places;
                if (!again->moves.empty()) again->moves.emplace_back(move::Correct{way.way});
                const InspectedOutput& output = again->outputs.front();
                if (output.reason.empty() && output.wrong.empty()) again->repaired = way.repairs;
                return Delivery([this, pair, way = way.way, again = *std::move(again)] {
                  if (opened().pair == pair) Q_EMIT applied(again, way);
                });
              });
}

void CorrectionPage::apply_way(CorrectionWay way) {
  const auto wanted = std::ranges::find(repair_.ways, way, &RepairWay::way);
  if (wanted == repair_.ways.end()) return;
  choose(static_cast<int>(wanted - repair_.ways.begin()));
  apply();
}

nlohmann::ordered_json CorrectionPage::state() const {
  return {{"headline", headline_->text().toStdString()},
          {"way", way_->currentText().toStdString()},
          {"facts", facts_->text().toStdString()}};
}

void CorrectionPage::set_theme(const Theme& theme) { view_->set_theme(theme); }
const Scene& CorrectionPage::scene() const { return view_->scene(); }

}  // namespace pet::viz
