#include "core/onnx/parsed_file.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>

#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "core/util/file_reader.h"
#include "core/util/printable.h"

namespace pet::onnx_io {
namespace {

// Nested graphs cost three levels each: deep enough for every real file, shallow enough for every
// stack.
constexpr int kDeepestMessage = 100;
// Tensors may share external bytes; a file that refers to the same bytes again and again is an
// attack.
constexpr std::size_t kMostReadsOfExternal = 8;
constexpr std::size_t kLargestFile = std::numeric_limits<int>::max();
constexpr const char* kTooLarge = "larger than 2 GiB; store its weights as external data";

template <class Visit>
void visit_graph(::onnx::GraphProto& graph, const Visit& visit);

template <class Visit>
void visit_sparse(::onnx::SparseTensorProto& sparse, const Visit& visit) {
  if (sparse.has_values()) visit(*sparse.mutable_values());
  if (sparse.has_indices()) visit(*sparse.mutable_indices());
}

template <class Visit>
void visit_nodes(google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes, const Visit& visit) {
  for (auto& node : nodes) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_t()) visit(*attribute.mutable_t());
      for (auto& tensor : *attribute.mutable_tensors()) visit(tensor);
      if (attribute.has_sparse_tensor()) visit_sparse(*attribute.mutable_sparse_tensor(), visit);
      for (auto& sparse : *attribute.mutable_sparse_tensors()) visit_sparse(sparse, visit);
      if (attribute.has_g()) visit_graph(*attribute.mutable_g(), visit);
      for (auto& graph : *attribute.mutable_graphs()) visit_graph(graph, visit);
    }
  }
}

template <class Visit>
void visit_graph(::onnx::GraphProto& graph, const Visit& visit) {
  for (auto& tensor : *graph.mutable_initializer()) visit(tensor);
  for (auto& sparse : *graph.mutable_sparse_initializer()) visit_sparse(sparse, visit);
  visit_nodes(*graph.mutable_node(), visit);
}

struct Place {
  std::string location;
  std::size_t offset = 0;
  std::optional<std::size_t> length;
};

Result<Place> place_of(const ::onnx::TensorProto& tensor) {
  Place place;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") place.location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length") continue;
    std::size_t number = 0;
    const char* end = entry.value().data() + entry.value().size();
    const auto parsed = std::from_chars(entry.value().data(), end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
      return Error{fmt::format("external data: {} is '{}'", entry.key(), printable(entry.value()))};
    }
    if (entry.key() == "offset") place.offset = number;
    if (entry.key() == "length") place.length = number;
  }
  if (place.location.empty()) return Error{"external data without a location"};
  return place;
}

// Only files inside the model's own folder, wherever links lead.
Result<std::filesystem::path> resolve_inside(const std::filesystem::path& model,
                                             const std::string& location) {
  std::error_code failed;
  const auto folder =
      std::filesystem::canonical(std::filesystem::absolute(model).parent_path(), failed);
  if (failed) return Error{"external data: the model's folder cannot be resolved"};
  const auto file = std::filesystem::canonical(folder / location, failed);
  if (failed) return Error{fmt::format("external data: {} cannot be opened", printable(location))};
  const auto inside = file.lexically_relative(folder);
  if (inside.empty() || *inside.begin() == "..") {
    return Error{
        fmt::format("external data: {} lies outside the model's folder", printable(location))};
  }
  return file;
}

Status resolve_external(ParsedFile& file, const ::onnx::TensorProto& tensor, std::size_t& budget) {
  const auto place = place_of(tensor);
  if (!place) return place.error();
  const auto size = byte_size(tensor);
  if (!size) return size.error();
  auto it = file.external.find(place->location);
  if (it == file.external.end()) {
    const auto path = resolve_inside(file.path, place->location);
    if (!path) return path.error();
    auto data = FileBytes::read(*path);
    if (!data) return std::move(data).error();
    budget += kMostReadsOfExternal * data->bytes().size();
    it = file.external.emplace(place->location, *std::move(data)).first;
  }
  const auto bytes = it->second.bytes();
  if (place->length.value_or(*size) != *size) {
    return Error{
        fmt::format("external data: {} bytes where the type asks for {}", *place->length, *size)};
  }
  if (place->offset > bytes.size() || *size > bytes.size() - place->offset) {
    return Error{
        fmt::format("external data: {} ends before the tensor does", printable(place->location))};
  }
  if (*size > budget) return Error{"external data: the same bytes are read too often"};
  budget -= *size;
  file.outside[&tensor] = bytes.subspan(place->offset, *size);
  return Done{};
}

Status resolve_all_external(ParsedFile& file, Digester& digester) {
  std::optional<Error> error;
  std::size_t budget = 0;
  for_each_tensor(file.proto, [&](::onnx::TensorProto& tensor) {
    if (error || !is_external(tensor)) return;
    auto resolved = resolve_external(file, tensor, budget);
    if (!resolved) {
      error =
          std::move(resolved).error().within(fmt::format("tensor '{}'", printable(tensor.name())));
    } else {
      file.outside_in_order.push_back(file.outside[&tensor]);
      digester.add(file.outside_in_order.back());
    }
  });
  if (error) return *std::move(error);
  return Done{};
}

Status parse(google::protobuf::io::CodedInputStream& stream, ::onnx::ModelProto& proto) {
  const google::protobuf::LogSilencer quiet;
  stream.SetRecursionLimit(kDeepestMessage);
  if (!proto.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
    return Error{"not an ONNX file, or a damaged one"};
  if (!proto.has_graph()) return Error{"an ONNX file without a graph"};
  return Done{};
}

// A file on its way to the parser, digested as it passes: what is parsed is in memory once, and its
// bytes are there while they are needed.
class DigestedFile final : public google::protobuf::io::CopyingInputStream {
 public:
  DigestedFile(FileReader& file, Digester& digester) : file_(file), digester_(digester) {}

  int Read(void* buffer, int size) override {
    const std::span<std::byte> into(static_cast<std::byte*>(buffer),
                                    static_cast<std::size_t>(size));
    const auto got = file_.read(into);
    if (!got) {
      trouble_ = got.error();
      return -1;
    }
    digester_.append(into.first(*got));
    return static_cast<int>(*got);
  }
  // Why it could not be read.
  const std::optional<Error>& trouble() const { return trouble_; }

 private:
  FileReader& file_;
  Digester& digester_;
  std::optional<Error> trouble_;
};

// Says what its bytes are: where they were parsed they all went by.
Result<Digest> parse(FileReader& file, const std::string& where, ::onnx::ModelProto& proto) {
  constexpr int kAtOnce = 1 << 18;  // bytes, which the parser finds in a cache
  Digester digester("onnx bytes");
  digester.add(static_cast<std::uint64_t>(file.size()));
  DigestedFile digested(file, digester);
  google::protobuf::io::CopyingInputStreamAdaptor pieces(&digested, kAtOnce);
  google::protobuf::io::CodedInputStream stream(&pieces);
  auto parsed = parse(stream, proto);
  if (digested.trouble()) return *digested.trouble();
  if (!parsed) return std::move(parsed).error().within(where);
  return digester.finish();
}

}  // namespace

void for_each_tensor(::onnx::ModelProto& model,
                     const std::function<void(::onnx::TensorProto&)>& visit) {
  visit_graph(*model.mutable_graph(), visit);
  for (auto& function : *model.mutable_functions()) visit_nodes(*function.mutable_node(), visit);
  for (auto& training : *model.mutable_training_info()) {
    if (training.has_initialization()) visit_graph(*training.mutable_initialization(), visit);
    if (training.has_algorithm()) visit_graph(*training.mutable_algorithm(), visit);
  }
}

bool is_external(const ::onnx::TensorProto& tensor) {
  return tensor.data_location() == ::onnx::TensorProto::EXTERNAL;
}

Result<std::shared_ptr<const ParsedFile>> parse_file(const std::filesystem::path& path) {
  auto reader = FileReader::open(path);
  if (!reader) return std::move(reader).error();
  if (reader->size() > kLargestFile) return reader->failed(kTooLarge, ErrorKind::Unsupported);
  const auto where = printable(path.string());
  auto file = std::make_shared<ParsedFile>();
  file->path = path;
  const auto bytes = parse(*reader, where, file->proto);
  if (!bytes) return bytes.error();
  file->bytes_digest = *bytes;
  Digester digester("onnx file");
  digester.add(file->bytes_digest);
  if (auto external = resolve_all_external(*file, digester); !external) {
    return std::move(external).error().within(where);
  }
  file->digest = digester.finish();
  return std::shared_ptr<const ParsedFile>(std::move(file));
}

Result<std::shared_ptr<const ParsedFile>> parse_bytes(std::span<const std::byte> bytes,
                                                      const std::string& where) {
  auto file = std::make_shared<ParsedFile>();
  file->path = where;
  if (bytes.size() > kLargestFile)
    return Error{fmt::format("{}: {}", where, kTooLarge), ErrorKind::Unsupported};
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                                static_cast<int>(bytes.size()));
  if (auto parsed = parse(stream, file->proto); !parsed)
    return std::move(parsed).error().within(where);
  bool refers = false;
  for_each_tensor(file->proto,
                  [&](::onnx::TensorProto& tensor) { refers = refers || is_external(tensor); });
  if (refers) return Error{fmt::format("{}: a tensor is kept in a file", where)};
  file->bytes_digest = Digester("onnx bytes").add(bytes).finish();
  file->digest = file->bytes_digest;
  return std::shared_ptr<const ParsedFile>(std::move(file));
}

}  // namespace pet::onnx_io
