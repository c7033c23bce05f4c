#include "app/common/json_text.h"

#include <optional>

namespace pet {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWidth = 100;
constexpr std::size_t kStep = 2;  // a level

std::string text_of(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// `{"name": ` or nothing.
std::string label_of(const Json::const_iterator& it, const Json& parent) {
  return parent.is_object() ? text_of(it.key()) + ": " : "";
}

// Nothing where that is longer than `room`.
std::optional<std::string> on_one_line(const Json& value, std::size_t room) {
  if (!value.is_structured()) {
    std::string text = text_of(value);
    if (text.size() > room) return std::nullopt;
    return text;
  }
  std::string out(1, value.is_object() ? '{' : '[');
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (it != value.begin()) out += ", ";
    out += label_of(it, value);
    if (out.size() >= room) return std::nullopt;
    const auto item = on_one_line(*it, room - out.size() - 1);
    if (!item) return std::nullopt;
    out += *item;
  }
  out += value.is_object() ? '}' : ']';
  return out;
}

class Writer {
 public:
  // `taken`: of the line, by what stands before the value.
  void write(const Json& value, std::size_t indent, std::size_t taken) {
    constexpr std::size_t kComma = 1;
    const bool is_whole = indent == 0 && value.is_object();
    if (!is_whole && taken + kComma < kWidth) {
      if (const auto line = on_one_line(value, kWidth - taken - kComma)) {
        out_ += *line;
        return;
      }
    }
    if (value.is_structured() && !value.empty()) {
      write_items(value, indent + kStep);
    } else {
      out_ += text_of(value);
    }
  }

  std::string take() { return std::move(out_) + "\n"; }

 private:
  // Numbers and other short things fill lines, everything else has lines of its own.
  void write_items(const Json& value, std::size_t indent) {
    out_ += value.is_object() ? '{' : '[';
    std::size_t column = kWidth;
    for (auto it = value.begin(); it != value.end(); ++it) {
      if (it != value.begin()) out_ += ',';
      const bool fills = value.is_array() && !it->is_structured();
      const std::string label = label_of(it, value);
      const std::size_t size = fills ? text_of(*it).size() + 2 : kWidth;
      if (column + size <= kWidth) {
        out_ += ' ';
        column += size;
      } else {
        out_ += '\n' + std::string(indent, ' ') + label;
        column = fills ? indent + size : kWidth;
      }
      write(*it, indent, fills ? indent : indent + label.size());
    }
    out_ += '\n' + std::string(indent - kStep, ' ') + (value.is_object() ? '}' : ']');
  }

  std::string out_;
};

}  // namespace

std::string one_line(const Json& value) { return text_of(value) + "\n"; }

std::string readable(const Json& value) {
  Writer writer;
  writer.write(value, 0, 0);
  return writer.take();
}

}  // namespace pet
