// What was open in a window and how it was looked at, as a file that is read again. A file of a
// newer version is left as it is. No Qt here.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/search/mutant_maker.h"
#include "core/search/search_config.h"
#include "core/util/result.h"

namespace pet::viz {

inline constexpr std::string_view kSessionSuffix = ".petsession";

enum class SourceKind { Nothing, Example, Model, Case, Journal, Report, Profile };
std::string_view to_string(SourceKind kind);

// What everything else follows from.
struct SessionSource {
  SourceKind kind = SourceKind::Nothing;
  std::string name;    // the id of an example, else an absolute path
  std::string digest;  // of the file, in hex; empty: it may change, as a journal grows
  std::map<std::string, Dim> sizes = {};  // of the dimensions that a model leaves open
  bool operator==(const SessionSource&) const = default;
};

// A mutant of a subprogram of the model, to be made again.
struct SessionMutant {
  std::size_t subprogram = 0;
  std::vector<Wanted> line;  // its ancestors and itself, never empty
  SearchConfig config;       // that it follows from
};

enum class SessionTheme { Light, Dark };
std::string_view to_string(SessionTheme theme);

struct Session {
  SessionSource source;
  std::optional<SessionMutant> mutant;      // that is open as a pair
  std::optional<CorrectionWay> correction;  // that was applied to the pair
  std::string compared;                     // the file beside the model; empty: none
  std::string page = "start";               // in front
  // How it is looked at: what is chosen on it, by the name of the choice.
  std::map<std::string, std::string> choices = {};
  SessionTheme theme = SessionTheme::Light;
  std::size_t cursor = 0;             // entries of the journal below it
  std::map<std::string, bool> docks;  // by name: whether it is open
};

std::string to_text(const Session& session);
// `name`: of the file, for messages.
Result<Session> parse_session(std::string_view text, const std::string& name);

Result<Session> read_session(const std::filesystem::path& path);
// Whole or not at all. Not over a session of a newer version.
Status write_session(const Session& session, const std::filesystem::path& path);

}  // namespace pet::viz
