// What the window asks of whoever made it: functions and ports that are called in threads of jobs
// and end soon after they are asked to.
#pragma once

#include <QString>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/program/cross_check.h"
#include "core/search/journal.h"
#include "viz/geometry/scene.h"
#include "viz/session/run_request.h"
#include "viz/session/session_file.h"
#include "viz/views/export_ports.h"
#include "viz/views/opened.h"
#include "viz/views/profile_ports.h"

namespace pet::viz {

// A figure of the paper, as a session of what the program brings along.
struct FigureChoice {
  QString id;     // "figure.1"
  QString title;  // "Figure 1: two images joined along the width"
  Session session;
};

// An example on the start page.
struct ExampleCard {
  QString id;
  QString title;
  QString text;
  Scene picture;
};

// One of both. Of a model a search is begun as it is asked for there, and stands at its first node.
struct OpenedExample {
  std::optional<OpenedPair> pair;
  std::optional<OpenedModel> model;
  RunRequest request;
};

// What a search may measure in.
struct TargetChoice {
  std::string id;  // RunRequest::target
  QString words;
};

// A search that was read from its journal.
struct OpenedJournal {
  std::string name;
  std::vector<LogEntry> entries;
  SearchConfig config;
  std::shared_ptr<const JournalContent> content;
  std::optional<OpenedModel> model;  // that it was of, where that is there and still the same
  std::string note;                  // what cannot be done without it; empty: nothing
  // What was written into it since the last time; nothing: it cannot be followed.
  std::function<Result<std::vector<LogEntry>>()> more = {};
};

// All of a search that needs engines or runtimes.
struct SearchingPorts {
  std::vector<TargetChoice> targets;
  std::function<Result<std::unique_ptr<DrivenRun>>(const OpenedModel&, const RunRequest&, RunWires)>
      start;
  // A mutant of that subprogram made again, as a pair with the subprogram. `line`: its ancestors
  // and itself.
  std::function<Result<OpenedPair>(const OpenedModel&, const SearchConfig&, std::size_t subprogram,
                                   const std::vector<Wanted>& line, const std::stop_token&)>
      mutant;
  std::function<Result<OpenedJournal>(const std::filesystem::path&, const std::stop_token&)>
      open_journal;
  // How the journal's search walked through one subprogram, nodes and events in order. REQUIRES:
  // the model is the journal's
  std::function<Result<std::vector<LogEntry>>(const OpenedModel&, const JournalContent&,
                                              std::size_t subprogram, const std::stop_token&)>
      walk;
};

// A network that can be built without any file.
struct NetworkChoice {
  std::string name;
  std::string summary;  // one sentence
};
struct NetworkRequest {
  std::string name;
  bool is_tiny = true;
  std::filesystem::path folder;
};
struct NetworkPorts {
  std::function<std::vector<NetworkChoice>()> list;
  std::filesystem::path folder;  // where to, unless a person says otherwise
  // The file that was written.
  std::function<Result<std::filesystem::path>(const NetworkRequest&, const std::stop_token&)> build;
};

struct WindowPorts {
  std::function<Result<OpenedPair>(const std::filesystem::path&, const std::stop_token&)> open_case;
  std::function<Result<OpenedExample>(const std::string& example, const std::stop_token&)>
      open_example;
  // The dimensions that a model leaves open, by name; none: it is never asked for sizes.
  std::function<Result<std::vector<std::string>>(const std::filesystem::path&)> open_dimensions;
  std::function<Result<OpenedModel>(const std::filesystem::path&,
                                    const std::map<std::string, Dim>& sizes,
                                    const std::stop_token&)>
      open_model;
  // The pair of both, inspected: an Error where they cannot be compared.
  std::function<Result<OpenedPair>(const Graph& original, const Graph& mutant, std::string name,
                                   const std::stop_token&)>
      inspect;
  std::function<Result<InspectedTerms>(const OpenedPair&, std::size_t output, const Shape& position,
                                       const std::stop_token&)>
      terms;
  // Of an output, element by element.
  std::function<Result<InspectedTruth>(const OpenedPair&, std::size_t output,
                                       const std::stop_token&)>
      truth;
  SearchingPorts searching;
  std::shared_ptr<CrossChecker> cross_checker;
  ProfilePorts profile;
  ExportPorts exporting;
  // For the page of boxes; none: it shows nothing.
  std::function<Result<InspectedSplits>(const OpenedPair&, const std::stop_token&)> splits;
  std::function<Result<InspectedSums>(const OpenedPair&, ProgramSide, NodeId,
                                      const std::stop_token&)>
      sums;
  std::function<Result<InspectedSums>(const OpenedPair&, std::size_t output,
                                      const std::stop_token&)>
      sums_of_output;
  std::vector<ExampleCard> cards;
  std::vector<FigureChoice> figures;
  NetworkPorts networks;
  std::filesystem::path recent;  // what keeps the files opened last; empty: nothing does
  std::filesystem::path kept;    // the folder where windows keep what is open; empty: nowhere
};

}  // namespace pet::viz
