// Files that are broken, one way each, made from good ones: each gives one message, and what was
// open stays open.
#include <onnx/onnx_pb.h>
#include <sys/stat.h>

#include <QPlainTextEdit>
#include <catch2/catch.hpp>
#include <fstream>

#include "app/pet-workbench/examples.h"
#include "core/search/journal.h"
#include "tests/app/workbench/visitor.h"
#include "tests/support/scratch_folder.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;

struct Broken {
  std::string name;   // of the file: its extension says what it has to be
  std::string bytes;  // what stands in it
  std::string said;   // the place, or what is wrong there
  bool is_of_what_it_opens = false;
};

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

std::string with(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::string half(const std::string& text) { return text.substr(0, text.size() / 2); }

// ---- models

std::string edited(const std::function<void(onnx::ModelProto&)>& edit) {
  onnx::ModelProto model;
  REQUIRE(model.ParseFromString(bytes_of(built("pair"))));
  edit(model);
  return model.SerializeAsString();
}

std::vector<Broken> models() {
  const std::string good = bytes_of(built("pair"));
  const auto node = [](onnx::ModelProto& m, int i) { return m.mutable_graph()->mutable_node(i); };
  const auto weight = [](onnx::ModelProto& m) { return m.mutable_graph()->mutable_initializer(0); };
  const auto input = [](onnx::ModelProto& m) {
    return m.mutable_graph()
        ->mutable_input(0)
        ->mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->mutable_dim(0);
  };
  return {
      {"empty.onnx", "", ""},
      {"cut.onnx", half(good), ""},
      {"cut_early.onnx", good.substr(0, 10), ""},
      {"text.onnx", "This is no model.\n", ""},
      {"json.onnx", "{\"graph\": {}}", ""},
      {"ones.onnx", std::string(4096, '\xff'), ""},
      {"no_graph.onnx", edited([](auto& m) { m.clear_graph(); }), "graph"},
      {"no_nodes.onnx", edited([](auto& m) { m.mutable_graph()->clear_node(); }), ""},
      {"no_weights.onnx", edited([](auto& m) { m.mutable_graph()->clear_initializer(); }), ""},
      {"negative.onnx", edited([&](auto& m) { input(m)->set_dim_value(-7); }), ""},
      {"huge.onnx", edited([&](auto& m) { input(m)->set_dim_value(std::int64_t{1} << 62); }), ""},
      {"huge_weight.onnx", edited([&](auto& m) { weight(m)->set_dims(0, std::int64_t{1} << 60); }),
       ""},
      {"other_type.onnx", edited([&](auto& m) { weight(m)->set_data_type(99); }), ""},
      {"short_weight.onnx", edited([&](auto& m) { weight(m)->mutable_raw_data()->resize(8); }), ""},
      {"cycle.onnx", edited([&](auto& m) { node(m, 0)->set_input(0, m.graph().output(0).name()); }),
       ""},
      {"dangling.onnx", edited([&](auto& m) { node(m, 0)->set_input(0, "<b>\x1b[31m no"); }), ""},
      {"same_names.onnx",
       edited([&](auto& m) { node(m, 1)->set_output(0, m.graph().node(0).output(0)); }), ""},
      {"outside.onnx", edited([&](auto& m) {
         weight(m)->clear_raw_data();
         weight(m)->set_data_location(onnx::TensorProto::EXTERNAL);
         auto* place = weight(m)->add_external_data();
         place->set_key("location");
         place->set_value("../../../../etc/passwd");
       }),
       "external data"},
      {"missing_part.onnx", edited([&](auto& m) {
         weight(m)->clear_raw_data();
         weight(m)->set_data_location(onnx::TensorProto::EXTERNAL);
         auto* place = weight(m)->add_external_data();
         place->set_key("location");
         place->set_value("nowhere.bin");
       }),
       "external data"},
      {"open_size.onnx", edited([&](auto& m) {
         for (int i = 0; i < 80; ++i) {
           auto* one = m.mutable_graph()->add_input();
           *one = m.graph().input(0);
           one->set_name("more" + std::to_string(i));
           one->mutable_type()
               ->mutable_tensor_type()
               ->mutable_shape()
               ->mutable_dim(0)
               ->set_dim_param("n" + std::to_string(i));
         }
       }),
       "leaves sizes open"},
  };
}

// ---- cases

std::vector<Broken> cases() {
  const std::string good(examples()[1].case_text);
  return {
      {"empty.txt", "", ""},
      {"cut.txt", half(good), ""},
      {"zeros.txt", std::string(100, '\0'), ""},
      {"words.txt", "hello\n", ""},
      {"alone.txt", good.substr(0, good.find("mutant")), "mutant"},
      {"operator.txt", with(good, "Conv<", "Konv<"), "Konv"},
      {"attribute.txt", with(good, "Conv<", "Conv<\x1b[31m=3, "), ""},
      {"shape.txt", with(good, "float[", "float[-3, "), ""},
      {"huge.txt", with(good, "float[", "float[99999999999999999999, "), ""},
      {"type.txt", with(good, "float[", "floot["), "floot"},
      {"deep.txt", "original " + std::string(200'000, '('), ""},
      {"rank.txt",
       with(good, "float[", "float[" + std::string("1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ")), ""},
      {"binary.txt", bytes_of(built("pair")), ""},
  };
}

// ---- journals

// Of that very model.
std::string journal() {
  static const std::string text = [] {
    const auto file = scratch() / "good.jsonl";
    JournalHeader header;
    header.model = built("pair").string();
    header.digest = std::string(64, 'a');
    auto made = Journal::create(file, header);
    REQUIRE(made.ok());
    made->write(SearchStarted{"pair", "d", "estimates", 1, 1});
    made->write(SubprogramFound{0, {"Conv"}, "y", 1, "p"});
    made->write(BestImproved{1, MutantId(0), 1});
    made->write(SearchFinished{StopReason::Stopped, 0, 0, 0, 0, 1});
    return bytes_of(file);
  }();
  return text;
}

std::vector<Broken> journals() {
  const std::string good = journal();
  return {
      {"empty.jsonl", "", ""},
      {"one_line.jsonl", good.substr(0, 20), ""},
      {"version.jsonl", with(good, kJournalFormat, "pet-journal/99"), ":1:"},
      {"no_format.jsonl", with(good, "\"format\"", "\"farmot\""), ":1:"},
      {"seed.jsonl", with(good, "\"seed\"", "\"sid\""), ":"},
      {"json.jsonl", with(good, "{\"event\":\"subprogram_found\"", "{\"event\":\"sub"), ":3:"},
      {"event.jsonl", with(good, "subprogram_found", "subprogram_lost"), ":3:"},
      {"type.jsonl", with(good, "\"places\":1", "\"places\":\"one\""), ":3:"},
      {"huge.jsonl", with(good, "\"places\":1", "\"places\":1e300"), ":3:"},
      {"negative.jsonl", with(good, "\"places\":1", "\"places\":-1"), ":3:"},
      {"deep.jsonl", good + std::string(100'000, '[') + "\n", ":6:"},
      {"zeros.jsonl", std::string(64, '\0') + "\n", ":1:"},
      {"model.jsonl", bytes_of(built("pair")), ""},
  };
}

// ---- sessions

std::vector<Broken> sessions() {
  viz::Session session;
  session.source = {viz::SourceKind::Model, built("pair").string(), {}};
  session.page = "boxes";
  const std::string good = viz::to_text(session);
  const std::string model = built("pair").string();
  return {
      {"empty.petsession", "", "at byte"},
      {"cut.petsession", half(good), "at byte"},
      {"text.petsession", "hello", "at byte"},
      {"list.petsession", "[]", "at its beginning"},
      {"deep.petsession", std::string(100'000, '['), "at byte"},
      {"newer.petsession", with(good, "pet-session/1", "pet-session/2"), "newer"},
      {"other.petsession", with(good, "pet-session/1", "pet-journal/4"), "\"format\""},
      {"kind.petsession", with(good, "\"model\"", "\"\\u001b[31m<b>\""), "\"open\""},
      {"cursor.petsession", with(good, "\"cursor\": 0", "\"cursor\": 1e99"), "\"cursor\""},
      {"sizes.petsession", with(good, "\"sizes\": {}", "\"sizes\": {\"n\": -1}"), "\"open\""},
      {"docks.petsession", with(good, "\"docks\": {}", "\"docks\": []"), "\"docks\""},
      {"digest.petsession",
       with(good, "\"digest\": \"\"", "\"digest\": \"" + std::string(64, 'b') + "\""),
       "another file", true},
      {"moved.petsession", with(good, model, "/nowhere/\\u001b[31m.onnx"), "/nowhere/", true},
      {"page.petsession", with(good, "\"boxes\"", "\"<i>moon</i>\""), "moon"},
      {"shape.petsession", with(good, "\"sizes\": {}", "\"sizes\": {\"n\": 3}"), "n=3", true},
  };
}

// ---- what is no file that can be read

struct Place {
  std::string name;
  std::function<void(const fs::path&)> make;
};

std::vector<Place> places() {
  std::vector<Place> out;
  for (const char* suffix : {".onnx", ".txt", ".json", ".jsonl", ".petsession"}) {
    out.push_back(
        {std::string("folder") + suffix, [](const fs::path& p) { fs::create_directory(p); }});
    out.push_back({std::string("pipe") + suffix,
                   [](const fs::path& p) { REQUIRE(::mkfifo(p.c_str(), 0600) == 0); }});
    out.push_back({std::string("endless") + suffix,
                   [](const fs::path& p) { fs::create_symlink("/dev/zero", p); }});
    out.push_back({std::string("nowhere") + suffix, [](const fs::path&) {}});
    out.push_back(
        {std::string("circle") + suffix, [](const fs::path& p) { fs::create_symlink(p, p); }});
  }
  return out;
}

// ---- what the window says

QStringList log_of(Visitor& visitor) {
  for (const auto* pane : visitor.window().findChildren<QPlainTextEdit*>())
    if (pane->accessibleName() == "Log") return pane->toPlainText().split('\n');
  return {};
}

// Opens it, and looks at what is said of it and what is still open.
// `names_it`: a session may be sound, and what it is of is not.
void refuses(Visitor& visitor, const fs::path& file, const std::string& said,
             bool names_it = true) {
  const QStringList before = log_of(visitor);
  const QString title = visitor.window().windowTitle();
  const viz::Session open = visitor.window().session();
  visitor.opens(file);
  const QStringList after = log_of(visitor);
  INFO(file.filename().string());
  const std::string message = after.back().toStdString();
  INFO(message);
  CHECK(after.size() == before.size() + 1);
  if (names_it) CHECK(message.find(file.filename().string()) != std::string::npos);
  CHECK(message.find(said) != std::string::npos);
  CHECK(message.find("; ") != std::string::npos);  // what to do
  CHECK(std::ranges::none_of(message, [](unsigned char c) { return c < ' '; }));
  CHECK(message.size() < 2'000);
  CHECK(visitor.window().windowTitle() == title);
  CHECK(visitor.window().session().source == open.source);
  CHECK(visitor.window().session().page == open.page);
}

TEST_CASE("Every broken file gives one message, and what was open stays open") {
  const testing::ScratchFolder folder;
  Visitor visitor;
  visitor.opens(built("pair"));
  std::size_t number = 0;
  for (const auto& all : {models(), cases(), journals(), sessions()}) {
    for (const Broken& broken : all) {
      write(folder / broken.name, broken.bytes);
      refuses(visitor, folder / broken.name, broken.said, !broken.is_of_what_it_opens);
      ++number;
    }
  }
  for (const Place& place : places()) {
    place.make(folder / place.name);
    refuses(visitor, folder / place.name, "");
    ++number;
  }
  CHECK(number >= 60);
}

}  // namespace
}  // namespace pet::app
