#include "viz/views/export_page.h"

#include <QEventLoop>
#include <QMetaObject>
#include <QPushButton>
#include <QTableWidget>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "viz/views/search_control.h"

namespace pet::viz {
namespace {

Result<ExportedFile> written(const std::filesystem::path& target) {
  ExportedFile out;
  out.original = {"a.onnx", 100, {{"Conv", 2}}};
  out.written = {target, 120, {{"Conv", 1}, {"Transpose", 2}}};
  out.certificate = "a.certificate.json";
  out.places = 3;
  out.left_alone = 1;
  out.verdict.outcome = Outcome::Equivalent;
  return out;
}

// A page whose exports end at once.
class Shown {
 public:
  explicit Shown(ExportPorts ports)
      : jobs_(
            [this](std::function<void()> what) {
              QMetaObject::invokeMethod(&context_, std::move(what), Qt::QueuedConnection);
            },
            [] {}),
        page_(std::move(ports), jobs_, search_) {}
  ExportPage& page() { return page_; }
  void open(bool has_places) {
    Opened opened;
    OpenedModel model;
    model.model = std::make_shared<const Model>();
    opened.model = std::make_shared<const OpenedModel>(std::move(model));
    OpenedPair pair;
    pair.name = "S0 M1";
    if (has_places) {
      SubprogramClass places;
      places.places.resize(4);
      pair.places = std::make_shared<const SubprogramClass>(std::move(places));
    }
    opened.pair = std::make_shared<const OpenedPair>(std::move(pair));
    page_.show_opened(opened);
    page_.bring_up();
  }
  void wait_for(const std::string& headline) {
    while (page_.state()["headline"] != headline) {
      QEventLoop loop;
      QObject::connect(&page_, &Page::changed, &loop, &QEventLoop::quit);
      loop.exec();
    }
  }

 private:
  QObject context_;
  Jobs jobs_;
  SearchControl search_;
  ExportPage page_;
};

TEST_CASE("What is open decides on what can be exported, and the page says why not") {
  Shown shown({});
  CHECK(shown.page().state()["this"] == false);
  shown.open(false);
  CHECK(shown.page().state()["this"] == false);
  CHECK(shown.page().state()["best"] == false);
  shown.open(true);
  CHECK(shown.page().state()["this"] == true);
  CHECK(shown.page().state()["best"] == false);  // no search runs
}

TEST_CASE(
    "A written file stands beside the original, says that nobody measured it, and is compared") {
  Shown shown({[](const Opened&, const std::filesystem::path& target, const EventSink& events,
                  const std::stop_token&) {
    events(StageStarted{Stage::Proving, 0});
    return written(target);
  }});
  shown.open(true);
  shown.page().export_this("b.onnx");
  shown.wait_for(
      "b.onnx is written: proved, not measured; 3 places changed, 1 left alone (they overlap)");
  CHECK(shown.page().state()["progress"] == "Certificate: a.certificate.json");
  auto* table = shown.page().findChild<QTableWidget*>();
  CHECK(table->item(3, 1)->text() == "Conv 2 → 1, Transpose 0 → 2");
  CHECK(table->item(5, 1)->text() == "not measured");
  std::filesystem::path wanted;
  QObject::connect(&shown.page(), &ExportPage::comparison_wanted,
                   [&](const std::filesystem::path& path) { wanted = path; });
  for (auto* button : shown.page().findChildren<QPushButton*>())
    if (button->text() == "Compare with the original") button->click();
  CHECK(wanted == "b.onnx");
}

TEST_CASE("What is not proved, and what is cancelled, is told as nothing written") {
  Shown refused({[](const Opened&, const std::filesystem::path&, const EventSink&,
                    const std::stop_token&) -> Result<ExportedFile> {
    return Error{"not proved: different"};
  }});
  refused.open(true);
  refused.page().export_this("b.onnx");
  refused.wait_for("Nothing was written");
  CHECK(refused.page().state()["progress"] == "not proved: different");
  Shown cancelled({[](const Opened&, const std::filesystem::path&, const EventSink&,
                      const std::stop_token&) -> Result<ExportedFile> {
    return Error{"stopped", ErrorKind::Stopped};
  }});
  cancelled.open(true);
  cancelled.page().export_this("b.onnx");
  cancelled.wait_for("Cancelled: nothing was written");
}

}  // namespace
}  // namespace pet::viz
