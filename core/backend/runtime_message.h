// What is said to a worker and what it answers, as JSON. Internal to the runtime.
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/backend/runtime.h"
#include "core/util/printable.h"

namespace pet {

using Json = nlohmann::json;

struct Runtime::Message {
  Json json;
};

inline Error nonsense(std::string_view line) {
  return {fmt::format("the worker answered nonsense: {:?}", std::string(line.substr(0, 120))),
          ErrorKind::Tool};
}

// Runs `read` on JSON of unknown form; a field that is missing or of another type makes an Error.
template <class Read>
auto reading(const Json& json, Read read) -> Result<decltype(read(json))> {
  try {
    return read(json);
  } catch (const Json::exception&) {
    return nonsense(json.dump(-1, ' ', true, Json::error_handler_t::replace));
  }
}

inline std::vector<ModelValue> values_from(const Json& list) {
  std::vector<ModelValue> values;
  for (const Json& value : list) {
    values.push_back({value.at("name").get<std::string>(), value.at("type").get<std::string>(),
                      value.at("shape").get<Shape>()});
  }
  return values;
}

inline std::optional<DType> dtype_named(std::string_view name) {
  for (int number = 1; dtype_from(number); ++number) {
    if (to_string(*dtype_from(number)) == name) return dtype_from(number);
  }
  return std::nullopt;
}

struct OutputPlace {
  ModelValue value;
  std::string where;  // a file, or a digest
};

inline std::vector<OutputPlace> output_places(const Json& answer, const char* key) {
  std::vector<OutputPlace> places;
  const Json& list = answer.at("outputs");
  const auto values = values_from(list);
  for (std::size_t i = 0; i < values.size(); ++i)
    places.push_back({values[i], list[i].at(key).get<std::string>()});
  return places;
}

inline Result<std::vector<std::byte>> bytes_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  std::vector<std::byte> out(in ? static_cast<std::size_t>(in.tellg()) : 0);
  in.seekg(0);
  in.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
  if (!in) return Error{fmt::format("cannot read {}", printable(file.string())), ErrorKind::Tool};
  return out;
}

inline Json json_of(const Tensor& tensor) {
  return {{"type", to_string(tensor.type().dtype)}, {"shape", tensor.shape()}};
}

}  // namespace pet
