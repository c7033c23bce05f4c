#include "app/pet/journal_places.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "app/common/progress.h"
#include "app/pet/resuming.h"
#include "core/run/place_record.h"
#include "core/search/regenerate.h"
#include "core/util/printable.h"
#include "verify/pairs/search_checker.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;

// Journals have the path as it was given: it leads somewhere from the folder of that run, which is
// often the one where the journal is.
fs::path found(const std::string& asked, const fs::path& journal, const fs::path& named) {
  if (!asked.empty()) return asked;
  std::error_code ignored;
  if (fs::exists(named, ignored) || named.is_absolute()) return named;
  const fs::path beside = journal.parent_path() / named;
  return fs::exists(beside, ignored) ? beside : named;
}

class Said {
 public:
  void operator()(std::size_t done, std::size_t all) const {
    if (Clock::now() - start_ < std::chrono::seconds(1)) return;
    progress_.show(fmt::format("changed places are made once more: {} of {}", done, all));
  }
  void clear() const { progress_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  Progress progress_;
};

}  // namespace

PlacesOfJournal journal_places(std::string journal, std::string model, std::stop_token stop) {
  return [journal = std::move(journal), model = std::move(model), stop = std::move(stop)](
             const JournalContent& content, const PlanTried& plan,
             const Recorder& recorder) -> Result<std::vector<PlaceRecord>> {
    if (auto current = check_current(content); !current) return std::move(current).error();
    const fs::path path = found(model, journal, content.header.model);
    std::error_code ignored;
    if (!fs::exists(path, ignored))
      return Error{fmt::format("the model {} is no longer there (--model says where it is)",
                               printable(path.string()))};
    const auto read = model_of(content.header, path.string());
    if (!read) return read.error();
    const Said said;
    SearchChecker checker;
    const auto choices = regenerate(*read, content, plan, checker, std::cref(said), stop);
    said.clear();
    if (!choices) return choices.error();
    return places_of(read->graph, *choices, recorder);
  };
}

}  // namespace pet::app
