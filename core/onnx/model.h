// An ONNX file as a tensor program: read_model checks the file, gives every node whose meaning we
// know to the program, and makes every other node an opaque one that is written back as it came
// (export.h).
//
// A declared shape is never believed: types are inferred from the operators, of those without a
// meaning here by the standard's own rules. A declaration of extents that contradicts them is
// stale, and said to be; one of another element type is an error. What only a declaration knows has
// an unknown shape.
//
// Integer values that follow from known shapes and constants are constants (shape_arithmetic.h);
// the nodes that compute them stay in the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "core/util/digest.h"
#include "core/util/result.h"

namespace pet {

namespace onnx_io {
struct ParsedFile;
}

inline constexpr int kOldestOpset = 9;
inline constexpr int kNewestOpset = 28;

struct ReadOptions {
  // Sizes of dimensions that the file leaves open, by their name, or "input:axis" where they have
  // none.
  std::map<std::string, Dim> dimensions;
  // All extents of inputs, by the input's name; those that the file knows must be the same.
  std::map<std::string, Shape> inputs{};
  // The first axis of every input that leaves it open, where nothing above says more.
  std::optional<Dim> batch{};
};

struct ModelInput {
  std::string name;
  TensorType type;  // shape unknown: the file declares none, or it is no tensor
  std::shared_ptr<const Tensor>
      standard;  // the value unless a caller gives one; null: a caller must
  std::string
      other_type;  // what is no tensor (sequence, map, optional): its type, for comparing only
  NodeId id;
};

struct ModelOutput {
  std::string name;
  TensorType type;      // as inferred
  TensorType declared;  // as the file says, as far as it says it with numbers
  NodeId id;
};

// A node as it stands in the file, in the file's order.
struct FileNode {
  std::string name;  // may be empty, need not be unique
  std::string op_type;
  std::string domain;
};

struct OpaqueNote {
  std::size_t file_node = 0;
  std::string reason;
};

// What a node of the graph was made from besides what stands in its file node. Where all this is
// the same at other sizes of what the file leaves open, so is the node.
struct Reading {
  std::vector<std::pair<NodeId, std::size_t>> extents;  // of values, by axis
  // Of numbers that the file computes from sizes: each is a polynomial of the sizes, of this degree
  // at most; nothing: it may be any function of them. 0: there are none.
  std::optional<int> computed = 0;
};

struct Model {
  Graph graph;
  std::filesystem::path path;
  Digest digest;  // of the file and of the external data it reads
  std::vector<ModelInput> inputs;
  std::vector<ModelOutput> outputs;
  std::map<std::string, NodeId> values;  // by name; equal values of different names are one node
  std::vector<FileNode> file_nodes;
  std::vector<std::optional<std::size_t>>
      origins;                            // by node of the graph: the first file node that makes it
  std::vector<Reading> readings;          // by node of the graph
  std::vector<std::string> measured;      // values whose extents the file computes with
  std::vector<OpaqueNote> opaque;         // in the file's order
  std::vector<std::string> stale;         // declared extents that the operators contradict
  std::optional<std::string> unprovable;  // why no proof reaches across this file
  std::optional<std::string> nested;      // a node that holds graphs or calls a function
  std::map<std::string, std::string> metadata;
  std::map<std::string, std::int64_t> opset_imports;  // by domain, the default one as ""
  std::int64_t ir_version = 0;
  // The sizes that everything here holds at: of every dimension that the file leaves open, as asked
  // for or as the input's default has it.
  std::map<std::string, Dim> dimensions;
  std::shared_ptr<const onnx_io::ParsedFile> file;

  int opset() const { return static_cast<int>(opset_imports.at("")); }
};

Result<Model> read_model(const std::filesystem::path& path, const ReadOptions& options = {});

// Which of model.dimensions are the first axis of an input, by name.
std::vector<std::string> batch_dimensions(const Model& model);

// The dimensions that read_model must be given sizes for, by name, in the file's order.
Result<std::vector<std::string>> open_dimensions(const std::filesystem::path& path);

}  // namespace pet
