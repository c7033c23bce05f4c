#include "viz/session/session_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/onnx/file_bytes.h"
#include "core/search/journal_fields.h"
#include "core/util/atomic_file.h"
#include "core/util/printable.h"

namespace pet::journal {
template <>
inline constexpr std::size_t kEnumerators<viz::SourceKind> = 7;
template <>
inline constexpr std::size_t kEnumerators<viz::SessionTheme> = 2;
}  // namespace pet::journal

namespace pet {

template <class V>
void visit_fields(const V& v, Wanted& x) {
  auto& [lineage, digest, which] = x;
  v("mutant", lineage);
  v("program", digest);
  v("which", which);
}

}  // namespace pet

namespace pet::viz {

// ---- fields, by their names in the file

template <class V>
void visit_fields(const V& v, SessionSource& x) {
  auto& [kind, name, digest, sizes] = x;
  v("kind", kind);
  v("name", name);
  v("digest", digest);
  v("sizes", sizes);
}
template <class V>
void visit_fields(const V& v, SessionMutant& x) {
  auto& [subprogram, line, config] = x;
  v("subprogram", subprogram);
  v("line", line);
  v("config", config);
}
template <class V>
void visit_fields(const V& v, Session& x) {
  auto& [source, mutant, correction, compared, page, choices, theme, cursor, docks] = x;
  v("open", source);
  v("mutant", mutant);
  v("correction", correction);
  v("page", page);
  v("theme", theme);
  v("cursor", cursor);
  v("docks", docks);
}

namespace {

using journal::BadLine;
using journal::Read;

constexpr std::string_view kFormat = "pet-session/";
constexpr unsigned kVersion = 1;
constexpr const char* kCompared = "compared";  // only where there is one
constexpr const char* kChoices = "choices";    // only where there are some
constexpr const char* kWhatToDo = "; open what it was of by File > Open, and save the session anew";

// A field of the file itself: what is wrong below it is told with its name.
struct SectionReader {
  const Read& json;
  template <class T>
  void operator()(const char* key, T& value) const {
    if (!json.contains(key)) throw BadLine(fmt::format("there is no \"{}\"", key));
    try {
      journal::decode(json.at(key), value);
    } catch (const Read::exception&) {
      throw BadLine(fmt::format("\"{}\": something is of another type than it has to be", key));
    } catch (const BadLine& bad) {
      throw BadLine(fmt::format("\"{}\": {}", key, bad.what()));
    }
  }
};

Error cannot_restore(const std::string& name, std::string_view reason) {
  return {fmt::format("cannot restore the session {}: {}{}", printable(name), reason, kWhatToDo),
          ErrorKind::Malformed};
}

// ---- versions

struct NewerVersion {
  std::string format;
};

void check_version(const Read& json) {
  if (!json.is_object()) throw BadLine("at its beginning: it is no JSON object");
  std::string format;
  SectionReader{json}("format", format);
  unsigned version = 0;
  const char* end = format.data() + format.size();
  const char* number = format.data() + std::min(format.size(), kFormat.size());
  const auto read = std::from_chars(number, end, version);
  if (!format.starts_with(kFormat) || read.ptr != end || read.ec == std::errc::invalid_argument ||
      (read.ec == std::errc() && version == 0))
    throw BadLine(fmt::format("\"format\": \"{}\" is no session", printable(format)));
  if (read.ec != std::errc() || version > kVersion) throw NewerVersion{printable(format)};
}

void check_values(const Session& session) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  const std::string& digest = session.source.digest;
  if (!digest.empty() && (digest.size() != 64 || !std::ranges::all_of(digest, is_hex)))
    throw BadLine("\"open\": its digest is none");
  if (session.source.kind != SourceKind::Nothing && session.source.name.empty())
    throw BadLine("\"open\": it has no name");
  for (const auto& [name, size] : session.source.sizes)
    if (size < 1) throw BadLine(fmt::format("\"open\": the size of {} is none", printable(name)));
  if (session.mutant && session.mutant->line.empty())
    throw BadLine("\"mutant\": its line is empty");
}

// What the first sessions did not say: none was of a model at sizes of its own.
void add_what_came_later(Read& json) {
  const auto open = json.find("open");
  if (open != json.end() && open->is_object()) open->emplace("sizes", Read::object());
}

// A function of its own: as part of what catches, GCC 12 takes the optional for uninitialised.
[[gnu::noinline]] Session session_of(Read json) {
  check_version(json);
  add_what_came_later(json);
  Session out;
  const SectionReader read{json};
  visit_fields(read, out);
  if (json.contains(kCompared)) read(kCompared, out.compared);
  if (json.contains(kChoices)) read(kChoices, out.choices);
  check_values(out);
  return out;
}

}  // namespace

std::string_view to_string(SourceKind kind) {
  switch (kind) {
    case SourceKind::Nothing:
      return "nothing";
    case SourceKind::Example:
      return "example";
    case SourceKind::Model:
      return "model";
    case SourceKind::Case:
      return "case";
    case SourceKind::Journal:
      return "journal";
    case SourceKind::Report:
      return "report";
    case SourceKind::Profile:
      return "profile";
  }
  return "?";
}

std::string_view to_string(SessionTheme theme) {
  return theme == SessionTheme::Dark ? "dark" : "light";
}

std::string to_text(const Session& session) {
  journal::Json out{{"format", fmt::format("{}{}", kFormat, kVersion)}};
  Session copy = session;
  visit_fields(journal::FieldWriter{out}, copy);
  if (!session.compared.empty()) out[kCompared] = session.compared;
  if (!session.choices.empty()) out[kChoices] = session.choices;
  return out.dump(1, ' ', false, journal::Json::error_handler_t::replace) + "\n";
}

Result<Session> parse_session(std::string_view text, const std::string& name) {
  try {
    return session_of(Read::parse(text));
  } catch (const Read::parse_error& bad) {
    return cannot_restore(name, fmt::format("at byte {}: it is no JSON, or was cut", bad.byte));
  } catch (const NewerVersion& newer) {
    return Error{fmt::format("cannot restore the session {}: \"format\": {} is newer than {}{}, "
                             "which this program reads; open it with the newer program",
                             printable(name), newer.format, kFormat, kVersion),
                 ErrorKind::Unsupported};
  } catch (const BadLine& bad) {
    return cannot_restore(name, bad.what());
  }
}

Result<Session> read_session(const std::filesystem::path& path) {
  const auto bytes =
      onnx_io::FileBytes::read(path, {1 << 20, "it is larger than any session: 1 MiB"});
  if (!bytes) {
    return Error{bytes.error().message + "; choose another session", bytes.error().kind};
  }
  return parse_session(bytes->text(), path.string());
}

Status write_session(const Session& session, const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    const auto before = read_session(path);
    if (!before && before.error().kind == ErrorKind::Unsupported)
      return Error{fmt::format("{} is a session of a newer version: it stays as it is; save under "
                               "another name",
                               printable(path.string())),
                   ErrorKind::Unsupported};
  }
  const std::string text = to_text(session);
  return write_atomically(path,
                          [&](int fd) { return write_all(fd, std::as_bytes(std::span(text))); });
}

}  // namespace pet::viz
