// What the figures of the paper show, as the sessions that the program brings along.
#include "app/pet-workbench/figures.h"

#include <QAction>
#include <QEventLoop>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "app/pet-workbench/opening.h"
#include "viz/views/actions.h"
#include "viz/views/main_window.h"

namespace pet::app {
namespace {

nlohmann::json shown(viz::MainWindow& window, const char* figure) {
  window.actions().at(figure)->trigger();
  window.tell_when_idle();
  QEventLoop loop;
  QObject::connect(&window, &viz::MainWindow::idle, &loop, [&] {
    if (window.is_idle()) loop.quit();
  });
  loop.exec();
  CHECK(window.trouble().empty());
  CHECK_FALSE(window.scene().items.empty());
  return nlohmann::json::parse(window.state());
}

TEST_CASE("Every figure opens where it is seen, with what the paper says of it") {
  viz::MainWindow window(ports({}));
  window.show();
  const auto first = shown(window, "figure.1");
  CHECK(first["page"] == "Regions");
  CHECK(first["headline"] ==
        "2 boxes, 1.79 % of the output: column 55 of even images, column 0 of odd images");
  const auto third = shown(window, "figure.3");
  CHECK(third["page"] == "Regions");
  CHECK(third["headline"].get<std::string>().find("of the output") != std::string::npos);
  const auto fourth = shown(window, "figure.4");
  CHECK(fourth["page"] == "Boxes");
  CHECK(fourth["choices"]["Show"] == "boxes of the value");
  CHECK(fourth["choices"]["Value"] == "original: Y = Conv(X, W)");
  const auto fifth = shown(window, "figure.5");
  CHECK(fifth["page"] == "Boxes");
  CHECK(fifth["choices"]["Show"] == "cuts, operator by operator");
  const auto sixth = shown(window, "figure.6");
  CHECK(sixth["page"] == "Correction");
  CHECK(sixth["headline"] == "2 of 2 ways to correct it are open");
  CHECK(figures().size() == 5);
}

}  // namespace
}  // namespace pet::app
