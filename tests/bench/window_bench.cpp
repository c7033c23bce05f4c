// window_bench: how fast the window is with much of everything, offscreen. Large models, layouts,
// logs and regions are generated; of cancelling the 95th percentile over 120 moments.
#include <fmt/format.h>

#include <QApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "core/ir/builder.h"
#include "core/onnx/export.h"
#include "core/ops/ops.h"
#include "core/util/rng.h"
#include "tests/app/workbench/visitor.h"
#include "tests/viz/geometry/chequered.h"
#include "tests/viz/session/a_search.h"
#include "viz/graph_layout/layered.h"
#include "viz/views/actions.h"
#include "viz/views/graph_page.h"
#include "viz/views/graph_view.h"
#include "viz/views/regions_page.h"
#include "viz/views/search_control.h"

using namespace pet;
using namespace pet::viz;
using app::Visitor;

namespace {

double ms_of(const std::function<void()>& work) {
  QElapsedTimer clock;
  clock.start();
  work();
  return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

double percentile(std::vector<double> all, double share) {
  std::ranges::sort(all);
  return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
}

double resident_mib() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
  return 0;
}

template <class... Values>
void say(fmt::format_string<Values...> words, Values&&... values) {
  fmt::print("{}\n", fmt::format(words, std::forward<Values>(values)...));
  std::fflush(stdout);
}

// ---- graphs

// Convolutions and activations in turn, every fourth with a way around it.
std::filesystem::path generated_model(std::size_t nodes) {
  GraphBuilder builder;
  NodeId value = builder.add_input("x", float_tensor({1, 4, 8, 8}));
  const NodeId weight =
      builder.add_constant(std::make_shared<const Tensor>(Tensor::of_floats(
                               {4, 4, 3, 3}, std::vector<float>(4 * 4 * 9, 0.5F))),
                           "w");
  NodeId before = value;
  for (std::size_t i = 0; i < nodes; ++i) {
    const auto name = fmt::format("n{}", i);
    if (i % 4 == 0) before = value;
    if (i % 4 == 3)
      value = *builder.add(*ops::find("Add"), {}, {value, before}, name);
    else if (i % 2 == 0)
      value = *builder.add(*ops::find("Conv"), {{"pads", Ints{1, 1, 1, 1}}}, {value, weight}, name);
    else
      value = *builder.add(*ops::find("Relu"), {}, {value}, name);
  }
  builder.add_output(value);
  auto file = app::scratch() / fmt::format("generated_{}.onnx", nodes);
  if (const auto written = write_program(std::move(builder).build(), 17, file); !written)
    throw std::runtime_error(written.error().message);
  return file;
}

void time_model(std::size_t nodes) {
  const auto file = generated_model(nodes);
  Visitor visitor;
  const double opened = ms_of([&] {
    visitor.opens(file);
    visitor.window().grab();
  });
  const double unfolded = ms_of([&] {
    visitor.does("graph.open");
    visitor.window().grab();
  });
  auto& page = visitor.the<GraphPage>();
  auto& view = *page.findChild<GraphView*>();
  Rng random(1);
  std::vector<double> moves;
  for (int i = 0; i < 200; ++i) {
    view.reveal({0,
                 static_cast<double>(random.below(static_cast<std::uint64_t>(page.scene().height))),
                 10, 10});
    moves.push_back(ms_of([&] { view.grab(); }));
  }
  visitor.does("graph.fit");
  const double whole = ms_of([&] { view.grab(); });
  const double restyled = ms_of([&] { visitor.does("view.dark"), view.grab(); });
  say("model of {} nodes: opened and painted folded {:.0f} ms, all sets opened ({} shapes) {:.0f} "
      "ms; a frame while panning {:.1f} ms (p95 {:.1f}), as small as it gets {:.0f} ms; restyled "
      "{:.0f} ms",
      nodes, opened, page.scene().items.size(), unfolded, percentile(moves, 0.5),
      percentile(moves, 0.95), whole, restyled);
}

void time_layouts() {
  constexpr LayoutNode kBox{120, 40};
  Rng random(1);
  std::vector<LayoutEdge> edges, chain;
  for (std::size_t i = 1; i < 10'000; ++i) {
    edges.push_back({i - 1 - random.below(std::min<std::size_t>(i, 4)), i});
    if (i > 8 && i % 4 == 0) edges.push_back({i - 8, i});
  }
  for (std::size_t i = 1; i < 100'000; ++i) chain.push_back({i - 1, i});
  const double wide = ms_of([&] { layered_layout(std::vector(10'000, kBox), edges); });
  const double deep = ms_of([&] { layered_layout(std::vector(100'000, kBox), chain); });
  say("layout: 10,000 nodes and {} edges {:.0f} ms; a chain of 100,000 {:.0f} ms", edges.size(),
      wide, deep);
}

// ---- logs

void time_log(const char* what, std::size_t entries, std::size_t each) {
  Visitor visitor;
  visitor.does("page.search");
  const double before = resident_mib();
  auto log = a_large_search(entries, each);
  SearchControl& search = visitor.window().search();
  const double opened = ms_of([&] {
    visitor.later([&] { search.show(std::move(log), {}, "generated"); });
    visitor.waits();
    visitor.window().grab();
  });
  const double mib = resident_mib() - before;
  std::vector<double> steps, jumps, mutants;
  const auto go_to = [&](std::size_t to, std::vector<double>& out) {
    out.push_back(ms_of([&] {
      search.move_cursor(to);
      visitor.window().grab();
    }));
  };
  Rng random(1);
  search.move_cursor(entries / 2);
  for (int i = 0; i < 50; ++i) go_to(search.cursor() + 1, steps);
  for (int i = 0; i < 20; ++i) go_to(random.below(entries), jumps);
  search.move_cursor(0);
  for (int i = 0; i < 5 && each > 0; ++i)
    mutants.push_back(ms_of([&] { search.go(Until::Mutant), visitor.window().grab(); }));
  say("{} of {} entries: opened and painted {:.0f} ms; a step {:.0f} ms (p95 {:.0f}), a jump "
      "{:.0f} "
      "ms (p95 {:.0f}){}; {:.0f} MiB more",
      what, entries, opened, percentile(steps, 0.5), percentile(steps, 0.95),
      percentile(jumps, 0.5), percentile(jumps, 0.95),
      mutants.empty() ? "" : fmt::format(", the next mutant {:.0f} ms", percentile(mutants, 0.5)),
      mib);
}

// ---- regions

void time_region() {
  const InspectedOutput output = chequered(10, 10, 100);
  Visitor visitor;
  RegionsPage& page = visitor.window().regions();
  const std::size_t boxes = output.boxes.size();
  visitor.does("page.regions");
  const double opened = ms_of([&] {
    page.show_outputs({output});
    page.grab();
  });
  std::vector<double> swaps, steps;
  for (int i = 0; i < 20; ++i) swaps.push_back(ms_of([&] { visitor.does("regions.swap"); }));
  for (int i = 0; i < 50; ++i)
    steps.push_back(ms_of([&] {
      visitor.does("regions.next");
      page.grab();
    }));
  say("region of {} boxes: shown {:.0f} ms; its plane changed {:.0f} ms; to the next wrong box "
      "{:.0f} ms (p95 {:.0f})",
      boxes, opened, percentile(swaps, 0.5), percentile(steps, 0.5), percentile(steps, 0.95));
}

// ---- cancelling

void time_cancelling() {
  const std::pair<const char*, std::function<void(Visitor&)>> kinds[] = {
      {"opening",
       [](Visitor& v) { v.later([&v] { v.window().open_file(app::built("densenet121")); }); }},
      {"boxes of every value",
       [](Visitor& v) { v.starts("mutants.open"), v.starts("page.boxes"); }},
      {"cross-check", [](Visitor& v) { v.starts("verdicts.check_all"); }},
      {"planted errors", [](Visitor& v) { v.starts("verdicts.plant"); }}};
  Rng random(1);
  std::vector<double> all;
  for (const auto& [name, start] : kinds) {
    Visitor visitor;
    visitor.opens_example("pair");
    visitor.does("search.partial");
    visitor.does("mutants.open");
    std::vector<double> times;
    for (int i = 0; i < 30; ++i) {
      start(visitor);
      Visitor::lets_pass(static_cast<int>(random.below(60)));
      if (visitor.window().is_idle()) continue;
      times.push_back(ms_of([&] { visitor.does("jobs.cancel"); }));
    }
    if (times.empty()) continue;
    say("cancelled, {}: {} of 30 while it ran; idle after {:.0f} ms (p95 {:.0f})", name,
        times.size(), percentile(times, 0.5), percentile(times, 0.95));
    all.insert(all.end(), times.begin(), times.end());
  }
  if (!all.empty())
    say("cancelled, all {}: idle after {:.0f} ms (p95 {:.0f})", all.size(), percentile(all, 0.5),
        percentile(all, 0.95));
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(argc, argv);
  time_layouts();
  time_model(3'000);
  time_model(10'000);
  time_log("log", 1'000'000, 3);
  time_log("tree", 200'000, 0);
  time_region();
  time_cancelling();
}
