#include "core/onnx/npz.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/onnx/file_bytes.h"
#include "core/util/printable.h"

namespace pet::onnx_io {
namespace {

using Bytes = std::span<const std::byte>;

// Of a number of that many bytes, the least significant first. Nothing beyond the end.
std::optional<std::size_t> number_at(Bytes bytes, std::size_t at, std::size_t width) {
  if (at > bytes.size() || width > bytes.size() - at) return std::nullopt;
  std::size_t out = 0;
  for (std::size_t i = width; i-- > 0;)
    out = out << 8 | std::to_integer<std::size_t>(bytes[at + i]);
  return out;
}

std::optional<Bytes> part(Bytes bytes, std::size_t at, std::size_t size) {
  if (at > bytes.size() || size > bytes.size() - at) return std::nullopt;
  return bytes.subspan(at, size);
}

std::string_view text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The records of a ZIP archive, by what they begin with, and where their fields stand.
constexpr std::size_t kEnd = 0x06054b50, kEndSize = 22;
constexpr std::size_t kDirectoryEntry = 0x02014b50, kDirectoryEntrySize = 46;
constexpr std::size_t kLocalHeader = 0x04034b50, kLocalHeaderSize = 30;

struct Entry {
  std::string name;
  std::size_t method = 0;  // 0: as it is
  Bytes data;
  std::size_t next = 0;  // where the next one stands
};

// That of the directory at `at`, and the bytes that it speaks of.
std::optional<Entry> entry_at(Bytes file, std::size_t at) {
  if (number_at(file, at, 4) != kDirectoryEntry) return std::nullopt;
  const auto method = number_at(file, at + 10, 2);
  const auto size = number_at(file, at + 20, 4);
  const auto name_size = number_at(file, at + 28, 2);
  const auto extra_size = number_at(file, at + 30, 2);
  const auto comment_size = number_at(file, at + 32, 2);
  const auto local = number_at(file, at + 42, 4);
  if (!local || number_at(file, *local, 4) != kLocalHeader) return std::nullopt;
  const auto local_name = number_at(file, *local + 26, 2);
  const auto local_extra = number_at(file, *local + 28, 2);
  if (!local_extra) return std::nullopt;
  const auto name = part(file, at + kDirectoryEntrySize, *name_size);
  const auto data = part(file, *local + kLocalHeaderSize + *local_name + *local_extra, *size);
  if (!name || !data) return std::nullopt;
  return Entry{std::string(text(*name)), *method, *data,
               at + kDirectoryEntrySize + *name_size + *extra_size + *comment_size};
}

// Where the record stands that ends the archive: behind it there may be a comment.
std::optional<std::size_t> end_of(Bytes file) {
  constexpr std::size_t kLongestComment = 0xffff;
  for (std::size_t back = kEndSize; back <= file.size() && back <= kEndSize + kLongestComment;
       ++back)
    if (number_at(file, file.size() - back, 4) == kEnd) return file.size() - back;
  return std::nullopt;
}

// As numpy calls elements of that type; empty where it has none such.
std::string_view numpy_word(DType dtype) {
  switch (dtype) {
    case DType::Float:
      return "<f4";
    case DType::Double:
      return "<f8";
    case DType::Float16:
      return "<f2";
    case DType::Bool:
      return "|b1";
    case DType::UInt8:
      return "|u1";
    case DType::Int8:
      return "|i1";
    case DType::UInt16:
      return "<u2";
    case DType::Int16:
      return "<i2";
    case DType::UInt32:
      return "<u4";
    case DType::Int32:
      return "<i4";
    case DType::UInt64:
      return "<u8";
    case DType::Int64:
      return "<i8";
    default:
      return "";
  }
}

// What numpy writes of an array of that type in front of its elements.
std::string header_of(const TensorType& type) {
  const Shape& shape = *type.shape;
  return fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                     numpy_word(type.dtype), fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

struct Array {
  std::string_view header;
  Bytes elements;
};

std::optional<Array> array_in(Bytes npy) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (!text(npy).starts_with(kMagic)) return std::nullopt;
  const std::size_t width = number_at(npy, 6, 1) == 1 ? 2 : 4;
  const auto size = number_at(npy, 8, width);
  if (!size) return std::nullopt;
  const auto header = part(npy, 8 + width, *size);
  if (!header) return std::nullopt;
  std::string_view words = text(*header);
  words = words.substr(0, words.find_last_not_of(" \n") + 1);
  return Array{words, npy.subspan(8 + width + *size)};
}

}  // namespace

Result<Npz> Npz::read(const std::filesystem::path& path) {
  auto bytes = FileBytes::read(path);
  if (!bytes) return std::move(bytes).error();
  const auto fail = [&](const std::string& why) {
    return Error{fmt::format("{}: {}", printable(path.string()), why), ErrorKind::Malformed};
  };
  Npz out;
  out.file_ = std::make_shared<const FileBytes>(*std::move(bytes));
  const Bytes file = out.file_->bytes();
  const auto end = end_of(file);
  if (!end) return fail("is no archive of arrays");
  const auto count = number_at(file, *end + 10, 2);
  auto at = number_at(file, *end + 16, 4);
  for (std::size_t i = 0; i < *count; ++i) {
    const auto entry = entry_at(file, *at);
    if (!entry) return fail("is a damaged archive");
    if (entry->method != 0) return fail("is compressed; write it with numpy.savez");
    out.entries_[entry->name] = entry->data;
    at = entry->next;
  }
  return out;
}

Result<Tensor> Npz::at(const std::string& name, const TensorType& type) const {
  const auto entry = entries_.find(name + ".npy");
  if (entry == entries_.end()) return Error{"there is no array of that name"};
  const auto array = array_in(entry->second);
  if (!array) return Error{"is no array as numpy writes it"};
  if (!type.shape || numpy_word(type.dtype).empty() || array->header != header_of(type))
    return Error{
        fmt::format("holds {}, not {}", printable(std::string(array->header)), to_string(type))};
  const auto size = static_cast<std::size_t>(count(*type.shape)) * bytes_per_element(type.dtype);
  if (array->elements.size() != size) return Error{"is cut off"};
  // A copy: in the archive elements stand wherever the header in front of them ends.
  auto elements =
      std::make_shared<std::vector<std::byte>>(array->elements.begin(), array->elements.end());
  const std::span<const std::byte> view(*elements);
  return Tensor(type, view, std::move(elements));
}

}  // namespace pet::onnx_io
