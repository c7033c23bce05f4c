// The Profile page with what times programs elsewhere: a worker that has no times, and times that
// were stored.
#include <catch2/catch.hpp>

#include "app/pet-workbench/opening.h"
#include "tests/app/workbench/visitor.h"
#include "tests/support/onnx_builder.h"
#include "viz/views/profile_page.h"

namespace pet::app {
namespace {

const std::string kWorker = PET_WORKER_PROGRAM;

viz::WindowPorts ports_with(const MoreTargets& more) {
  auto out = visited_ports();
  out.profile = profile_ports(more);
  return out;
}

TEST_CASE("A GPU that is emulated behind a command says on the page that it has no times") {
  const std::string log = (scratch() / "requests").string();
  Visitor visitor(ports_with({.workers = {"sh -c 'cd / && tee " + log + " | exec " + kWorker +
                                          " --backend cuda --emulate'"},
                              .profiles = {}}));
  visitor.opens_example("joined");
  visitor.does("page.profile");
  visitor.does("profile.measure");
  CHECK_THAT(visitor.tells("whole"),
             Catch::Contains("missing: ") && Catch::Contains("an emulated device has no times"));
  visitor.does("profile.operators");
  CHECK_THAT(visitor.tells("operators"), Catch::Contains("an emulated device has no times"));
  CHECK_THAT(visitor.tells("headline"), Catch::Contains("nothing was measured"));
  CHECK(visitor.tells("target").empty());
  // It may be on another host: what it needs is sent.
  const std::string requests = testing::read_bytes(log);
  CHECK_THAT(requests, Catch::Contains("\"op\":\"put\"") && Catch::Contains("\"op\":\"pair\"") &&
                           !Catch::Contains("\"model\":"));
}

TEST_CASE("A command that cannot be taken apart, or starts nothing, is said on the page") {
  const auto [command, said] = GENERATE(table<std::string, std::string>(
      {{"sh -c 'x", "a quote stays open"}, {"false", "starting the worker"}}));
  Visitor visitor(ports_with({.workers = {command}, .profiles = {}}));
  visitor.opens_example("joined");
  visitor.does("page.profile");
  visitor.does("profile.measure");
  CHECK_THAT(visitor.tells("whole"), Catch::Contains(said));
}

TEST_CASE("Stored times answer for a model that they are of, and for no other") {
  Visitor visitor(ports_with({.workers = {}, .profiles = {PET_PROFILE}}));
  visitor.opens(built("resnet18"));
  visitor.does("page.profile");
  visitor.does("profile.measure");
  CHECK(visitor.tells("whole") == "remembered");
  CHECK_THAT(visitor.tells("target"), Catch::Contains("NVIDIA H100 (times made up for tests)"));
  visitor.does("profile.operators");
  CHECK_THAT(visitor.tells("operators"), Catch::Contains("whole programs alone"));
  visitor.opens_example("joined");
  visitor.does("page.profile");
  visitor.does("profile.measure");
  CHECK_THAT(visitor.tells("whole"), Catch::Contains("none of the 4 comparisons of"));
}

}  // namespace
}  // namespace pet::app
