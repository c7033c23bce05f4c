#include "app/pet-workbench/rendering.h"

#include <QPixmap>
#include <cstdio>

#include "viz/views/page_files.h"

namespace pet::app {
namespace {

constexpr int kDone = 0, kCannotWrite = 3, kNothingToDraw = 4;

int fail(int code, const std::string& what) {
  std::fprintf(stderr, "pet-workbench: %s\n", what.c_str());
  return code;
}

}  // namespace

std::string complaint_about(const viz::MainWindow& window, const Picture& picture) {
  const bool is_window = picture.page == kWholeWindow;
  if (!is_window && !window.page_names().contains(QString::fromStdString(picture.page)))
    return "there is no page " + picture.page + "; there are " +
           window.page_names().join(", ").toStdString() + ", and window for all that is seen";
  if (is_window && !picture.file.ends_with(".png"))
    return "the whole window is written as .png alone";
  return viz::complaint_about(picture.file);
}

int render(viz::MainWindow& window, const Picture& picture) {
  if (!window.trouble().empty()) return fail(kNothingToDraw, window.trouble());
  if (picture.page == kWholeWindow) {
    if (window.grab().save(QString::fromStdString(picture.file))) return kDone;
    return fail(kCannotWrite, "cannot write " + picture.file);
  }
  const auto written = window.write_page(picture.file, picture.scale);
  if (written) return kDone;
  const bool is_nothing = written.error().kind == ErrorKind::Unsupported;
  return fail(is_nothing ? kNothingToDraw : kCannotWrite, written.error().message);
}

}  // namespace pet::app
