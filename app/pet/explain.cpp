#include <fmt/format.h>

#include <memory>

#include "app/common/files.h"
#include "app/explain/explanation.h"
#include "app/explain/html.h"
#include "app/explain/text.h"
#include "app/pet/commands.h"
#include "app/pet/journal_places.h"
#include "app/pet/stopping.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

struct ExplainOptions {
  std::string file, html, model;
};

int run(const ExplainOptions& options) {
  const Stopping stopping;
  const auto record = explain::read_run(
      options.file, journal_places(options.file, options.model, stopping.search()));
  if (!record) {
    const bool stopped = record.error().kind == ErrorKind::Stopped;
    return stopped ? kStopped : fail(record.error());
  }
  const explain::Document document = explain::compose(*record);
  if (options.html.empty()) {
    fmt::print("{}", explain::as_text(document));
    return kDone;
  }
  if (auto free = check_rewritable(options.file, options.html); !free) return fail(free.error());
  if (auto done = write_text(options.html, explain::as_html(document)); !done)
    return fail(done.error());
  fmt::print("wrote {}\n", printable(options.html));
  return kDone;
}

}  // namespace

Command add_explain(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "explain", "what an optimised file has become, why it is right, what was tried and lost");
  auto o = std::make_shared<ExplainOptions>();
  command->add_option("file", o->file, "a report or a journal of pet optimize")->required();
  command->add_option("--html", o->html, "write one page with graphs instead of text");
  command->add_option("--model", o->model,
                      "of a journal: the model, where it is elsewhere by now; the changed places "
                      "are made once more from it");
  return [o] { return run(*o); };
}

}  // namespace pet::app
