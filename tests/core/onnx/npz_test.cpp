// Inputs in archives of numpy.savez.
#include <catch2/catch.hpp>

#include "core/onnx/input_data.h"
#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

using testing::OnnxBuilder;
using testing::ScratchFolder;

std::string number(std::size_t value, std::size_t width) {
  std::string out;
  for (std::size_t i = 0; i < width; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

std::string npy(const std::string& header, const std::vector<float>& values) {
  return std::string("\x93NUMPY\x01\x00", 8) + number(header.size() + 1, 2) + header + "\n" +
         std::string(reinterpret_cast<const char*>(values.data()), 4 * values.size());
}

// One entry, written as Python's zipfile does.
std::string archive(const std::string& name, const std::string& data, std::size_t method = 0) {
  const std::string sizes = number(data.size(), 4) + number(data.size(), 4);
  const std::string common = number(method, 2) + number(0, 8) + sizes + number(name.size(), 2);
  const std::string local =
      "PK\x03\x04" + number(20, 2) + number(0, 2) + common + number(0, 2) + name + data;
  const std::string entry = "PK\x01\x02" + number(20, 2) + number(20, 2) + number(0, 2) + common +
                            number(0, 2) + number(0, 2) + number(0, 2) + number(0, 2) +
                            number(0, 4) + number(0, 4) + name;
  return local + entry + "PK\x05\x06" + number(0, 4) + number(1, 2) + number(1, 2) +
         number(entry.size(), 4) + number(local.size(), 4) + number(0, 2);
}

constexpr const char* kHeader = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
const std::vector<float> kValues = {1, 2, 3, 4, 5, 6};

Result<std::vector<InputSet>> read_back(const std::string& bytes) {
  const ScratchFolder folder;
  OnnxBuilder b;
  b.input("x", {2, 3});
  b.node("Relu", {"x"}, {"y"});
  b.output("y", {2, 3});
  const auto relu = read_model(b.save(folder / "relu.onnx"));
  REQUIRE(relu.ok());
  testing::write_bytes(folder / "inputs.npz", bytes);
  return read_input_data(*relu, folder.path());
}

std::string why_not(const std::string& bytes) {
  const auto sets = read_back(bytes);
  return sets ? "" : sets.error().message;
}

TEST_CASE("Each archive of a folder is a set of inputs, found by their names") {
  const auto sets = read_back(archive("x.npy", npy(kHeader, kValues)));
  INFO((sets ? "" : sets.error().message));
  REQUIRE(sets.ok());
  REQUIRE(sets->size() == 1);
  const auto floats = sets->front().at(0).floats();
  CHECK(std::vector<float>(floats.begin(), floats.end()) == kValues);
}

TEST_CASE("An array of another type, shape, order or name is said to be one") {
  const std::string doubles = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
  const std::string turned = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }";
  const std::string columns = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }";
  for (const std::string& header : {doubles, turned, columns})
    CHECK(why_not(archive("x.npy", npy(header, kValues))).find("not float") != std::string::npos);
  CHECK(why_not(archive("y.npy", npy(kHeader, kValues))).find("no array of that name") !=
        std::string::npos);
  CHECK(why_not(archive("x.npy", npy(kHeader, {1, 2}))).find("cut off") != std::string::npos);
}

TEST_CASE("Archives that are compressed or damaged are refused") {
  const std::string whole = archive("x.npy", npy(kHeader, kValues));
  CHECK(why_not(archive("x.npy", npy(kHeader, kValues), 8)).find("compressed") !=
        std::string::npos);
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_FALSE(read_back(whole.substr(0, size)).ok());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(0xff);
    (void)read_back(changed);  // whatever it says
  }
}

}  // namespace
}  // namespace pet
