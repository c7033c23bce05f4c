#include "app/pet-workbench/rendering.h"

#include <QPixmap>
#include <cstdio>

#include "app/common/files.h"
#include "viz/geometry/svg.h"

namespace pet::app {
namespace {

constexpr int kDone = 0, kCannotWrite = 3, kNothingToDraw = 4;

bool is_svg(const Picture& picture) { return picture.file.ends_with(".svg"); }

int fail(int code, const std::string& what) {
  std::fprintf(stderr, "pet-workbench: %s\n", what.c_str());
  return code;
}

int write_svg(viz::MainWindow& window, const Picture& picture) {
  const viz::Scene& scene = window.scene();
  if (scene.items.empty())
    return fail(kNothingToDraw, "the page " + picture.page +
                                    " is no drawing (tables and words, or nothing yet): write it "
                                    "as .png");
  const auto& theme =
      window.session().theme == viz::SessionTheme::Dark ? viz::Theme::dark() : viz::Theme::light();
  const auto written = write_text(picture.file, viz::to_svg(scene, theme));
  return written ? kDone : fail(kCannotWrite, written.error().message);
}

}  // namespace

std::string complaint_about(const viz::MainWindow& window, const Picture& picture) {
  const bool is_window = picture.page == kWholeWindow;
  if (!is_window && !window.page_names().contains(QString::fromStdString(picture.page)))
    return "there is no page " + picture.page + "; there are " +
           window.page_names().join(", ").toStdString() + ", and window for all that is seen";
  if (is_svg(picture) && is_window) return "the whole window is written as .png alone";
  if (!is_svg(picture) && !picture.file.ends_with(".png"))
    return "-o names the picture: a file that ends in .svg or .png";
  return {};
}

int render(viz::MainWindow& window, const Picture& picture) {
  if (!window.trouble().empty()) return fail(kNothingToDraw, window.trouble());
  if (is_svg(picture)) return write_svg(window, picture);
  QWidget& shown = picture.page == kWholeWindow ? window : window.page();
  if (shown.grab().save(QString::fromStdString(picture.file))) return kDone;
  return fail(kCannotWrite, "cannot write " + picture.file);
}

}  // namespace pet::app
