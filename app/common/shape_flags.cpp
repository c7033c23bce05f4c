#include "app/common/shape_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "app/common/command_line.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

std::optional<Dim> positive(std::string_view text) {
  Dim size = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, size);
  return problem == std::errc() && rest == end && size > 0 ? std::optional(size) : std::nullopt;
}

// "1,128" or a single size; nothing where one of them is none.
std::optional<Shape> extents_in(std::string_view text) {
  Shape out;
  while (true) {
    const auto comma = text.find(',');
    const auto size = positive(text.substr(0, comma));
    if (!size) return std::nullopt;
    out.push_back(*size);
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

template <class Value>
Status put(std::map<std::string, Value>& into, const std::string& name, const Value& value) {
  const auto [at, is_new] = into.emplace(name, value);
  if (is_new || at->second == value) return Done{};
  return Error{fmt::format("--shape {}: given twice, with different sizes", printable(name)),
               ErrorKind::Usage};
}

Error unknown(const std::string& what, const std::string& name) {
  return Error{fmt::format("size {}: no file leaves {} of that name open", what, name),
               ErrorKind::Usage};
}

}  // namespace

void add_shape_flags(CLI::App& command, ShapeFlags& flags, const std::string& group) {
  auto* shape =
      command
          .add_option("--shape", flags.shapes,
                      "size of an open dimension: name=N, or input:axis=N where it has no name; or "
                      "all extents of an input: input=1,3,224,224")
          ->take_all()
          ->allow_extra_args(false);
  auto* batch = command
                    .add_option("--batch", flags.batch,
                                "size of the first axis of every input that leaves it open")
                    ->check(CLI::Range(Dim{1}, Dim{1'000'000}));
  auto* opset = add_opset_flag(command, flags.opset);
  if (group.empty()) return;
  shape->group(group);
  batch->group(group);
  opset->group(group);
}

Result<ReadOptions> parse_shapes(const ShapeFlags& flags) {
  ReadOptions out;
  out.batch = flags.batch;
  for (const std::string& flag : flags.shapes) {
    const auto equals = flag.rfind('=');
    const bool has_name = equals != std::string::npos && equals > 0;
    const auto extents =
        has_name ? extents_in(std::string_view(flag).substr(equals + 1)) : std::nullopt;
    if (!extents) {
      return Error{
          fmt::format("--shape {}: expected name=N with a positive size, as in batch=1, or "
                      "the extents of an input, as in tokens=1,128",
                      printable(flag)),
          ErrorKind::Usage};
    }
    const std::string name = flag.substr(0, equals);
    auto done = extents->size() == 1 ? put(out.dimensions, name, extents->front())
                                     : put(out.inputs, name, *extents);
    if (!done) return std::move(done).error();
  }
  return out;
}

Status check_shapes(const ReadOptions& asked, std::span<const Model* const> models) {
  for (const auto& [name, size] : asked.dimensions) {
    const std::string& wanted = name;
    const bool is_known = std::ranges::any_of(
        models, [&](const Model* model) { return model->dimensions.contains(wanted); });
    if (!is_known) return unknown(fmt::format("{}={}", printable(name), size), "a dimension");
  }
  for (const auto& [name, extents] : asked.inputs) {
    const std::string& wanted = name;
    const bool is_known = std::ranges::any_of(models, [&](const Model* model) {
      return std::ranges::find(model->inputs, wanted, &ModelInput::name) != model->inputs.end();
    });
    if (!is_known)
      return unknown(fmt::format("{}={}", printable(name), fmt::join(extents, ",")), "an input");
  }
  return Done{};
}

std::string fixed_sizes(const std::map<std::string, Dim>& sizes) {
  std::string out;
  for (const auto& [name, size] : sizes)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", printable(name), size);
  return out;
}

Result<Model> read_at_shapes(const std::string& file, const ShapeFlags& flags) {
  const auto shapes = parse_shapes(flags);
  if (!shapes) return shapes.error();
  const auto path = at_opset("pet", file, flags.opset);
  if (!path) return path.error();
  auto model = read_model(*path, *shapes);
  if (!model) return model;
  if (auto known = check_shapes(*shapes, std::array<const Model*, 1>{&*model}); !known)
    return std::move(known).error();
  warn_of_stale("pet", *model);
  return model;
}

}  // namespace pet::app
