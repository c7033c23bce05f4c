// Writes one ONNX file: its nodes, its weights and what it declares of values, in the order of the
// calls. Names, shapes and attributes are the caller's, who knows the exporter that is imitated.
// Internal to datasets/models.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace pet::datasets {

using Dims = std::vector<std::int64_t>;
using ElementType = onnx::TensorProto::DataType;

// One extent of a declared shape: a number, the name of an open one, or nothing that is known.
class Extent {
 public:
  Extent() = default;
  Extent(std::int64_t number) : value_(number) {}
  explicit Extent(std::string name) : value_(std::move(name)) {}

  // A multiple of an open extent is called after it: "12*batch".
  Extent times(std::int64_t factor) const;
  void declare(onnx::TensorShapeProto::Dimension& dim) const;

 private:
  std::variant<std::monostate, std::int64_t, std::string> value_;
};

using Shape = std::vector<Extent>;

struct Attribute {
  std::string name;
  std::variant<std::int64_t, float, Dims, std::string, onnx::TensorProto> value;
};

void set(onnx::NodeProto& node, const Attribute& attribute);

// The operator set and the version of the file format.
struct FileVersion {
  std::int64_t opset = 0;
  std::int64_t ir = 0;
};

class GraphWriter {
 public:
  GraphWriter(const std::string& doc, const FileVersion& version);

  void input(const std::string& name, ElementType type, const Shape& shape);
  void output(const std::string& name, ElementType type, const Shape& shape);
  void value_info(const std::string& name, ElementType type, const Shape& shape);
  onnx::NodeProto& node(const std::string& name, const std::string& type,
                        const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs);
  void initializer(const std::string& name, onnx::TensorProto tensor);
  // Whoever writes or reads `from` writes or reads `to`.
  void rename(const std::string& from, const std::string& to);

  std::string bytes() const { return model_.SerializeAsString(); }

 private:
  onnx::ModelProto model_;
};

std::size_t element_count(const Dims& shape);

// 0, 1, 2 ..., so many of them.
Dims counted(std::int64_t number);

// A tensor without a name. REQUIRES: as many numbers as the shape says; a scalar has no extents.
onnx::TensorProto tensor_of(const Dims& shape, const std::vector<float>& numbers);
onnx::TensorProto tensor_of(const Dims& shape, const std::vector<std::int64_t>& numbers);
// Of bool or uint8.
onnx::TensorProto byte_tensor(ElementType type, const Dims& shape,
                              const std::vector<std::uint8_t>& bytes);

}  // namespace pet::datasets
