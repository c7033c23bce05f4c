// Internal: types as a file declares them.
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/builder.h"
#include "core/util/result.h"

namespace pet::onnx_io {

// An extent that the file leaves open: the name it has, or "value:axis".
struct OpenDim {
  std::size_t axis = 0;
  std::string name;
  bool is_named = false;  // by the file
};

struct Declared {
  DType dtype = DType::Undefined;  // Undefined where the value is no tensor or nothing is said
  std::optional<Shape> shape;      // open extents stand as -1
  std::vector<OpenDim> open;
  std::string other;  // the type of what is no tensor
};

Result<Declared> declared_type(const ::onnx::ValueInfoProto& value);

// What contradicts, in words; nullopt where the declaration fits. Open extents fit everything.
std::optional<std::string> contradiction(const Declared& declared, const TensorType& inferred);

// Of values whose type is inferred: the declarations of extents that do not fit, in words. Runtimes
// warn of those and go by what is inferred; an element type that does not fit is an Error, as
// there.
Result<std::vector<std::string>> stale_declarations(const ::onnx::GraphProto& graph,
                                                    const std::map<std::string, NodeId>& values,
                                                    const GraphBuilder& builder);

}  // namespace pet::onnx_io
