#include "app/pet-verify/question_digest.h"

#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <iterator>
#include <span>
#include <vector>

#include "app/common/machine.h"
#include "core/onnx/text.h"

namespace pet::app {
namespace {

// What is no file of bytes (a pipe, a device) can be read once, or for ever.
Digest digest_of_bytes(const std::filesystem::path& path) {
  Digester digester("file");
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) return digester.finish();
  std::ifstream file(path, std::ios::binary);
  std::vector<char> piece(std::size_t{1} << 20);
  do {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    digester.add(std::as_bytes(std::span(piece).first(static_cast<std::size_t>(file.gcount()))));
  } while (file);
  return digester.finish();
}

// A model's weights may lie in other files.
std::optional<Digest> digest_of_model(const std::filesystem::path& path,
                                      const ReadOptions& reading) {
  try {
    if (const auto model = read_model(path, reading)) return model->digest;
  } catch (const std::bad_alloc&) {
    return std::nullopt;  // what cannot be held is not known
  }
  return std::nullopt;
}

Digest digest_of_expectation(const Expectation& expected) {
  Digester digester("expectation");
  digester.add(to_string(expected.verdict));
  if (!expected.wrong) return digester.finish();
  for (const Box& box : *expected.wrong) {
    for (const Shape* corner : {&box.low, &box.high}) digester.add(to_string(*corner));
  }
  return digester.finish();
}

}  // namespace

Digest digest_of_case(std::string_view text) { return digest_of("case", text); }

std::vector<Digest> contents_of(const Question& question) {
  if (question.files.size() == 1) {
    const auto text = read_case_text(question.files[0]);
    return text ? std::vector{digest_of_case(*text)} : std::vector<Digest>{};
  }
  std::vector<Digest> out;
  for (const auto& file : question.files) {
    const auto digest = digest_of_model(file, question.reading);
    if (!digest) return {};
    out.push_back(*digest);
  }
  return out;
}

Digest digest_of_settings(const Question& question, const Options& options) {
  const ProofOptions& proof = options.proof.proof;
  Digester digester("settings");
  digester.add(std::bit_cast<std::uint64_t>(proof.log2_error))
      .add(static_cast<std::uint64_t>(proof.bind_weights))
      .add(std::bit_cast<std::uint64_t>(proof.max_ulp))
      .add(static_cast<std::uint64_t>(proof.in_detail))
      .add(static_cast<std::uint64_t>(proof.first_difference))
      .add(static_cast<std::uint64_t>(proof.exhaustive))
      .add(static_cast<std::uint64_t>(proof.memory_bytes))
      .add(static_cast<std::uint64_t>(question.outputs == OutputMatch::ByPosition))
      .add(static_cast<std::uint64_t>(options.all_sizes))
      .add(static_cast<std::uint64_t>(options.all_batches))
      .add(options.engine)
      .add(static_cast<std::uint64_t>(options.as_published))
      .add(options.limits.steps ? fmt::format("{} steps", *options.limits.steps) : "no limit");
  digester.add(static_cast<std::uint64_t>(question.files.size()));  // a case is held to itself too
  digester.add(static_cast<std::uint64_t>(question.reading.dimensions.size()));
  for (const auto& [name, size] : question.reading.dimensions)
    digester.add(name).add(static_cast<std::uint64_t>(size));
  digester.add(static_cast<std::uint64_t>(question.reading.inputs.size()));
  for (const auto& [name, extents] : question.reading.inputs) {
    digester.add(name).add(static_cast<std::uint64_t>(extents.size()));
    for (const Dim extent : extents) digester.add(static_cast<std::uint64_t>(extent));
  }
  digester.add(static_cast<std::uint64_t>(question.reading.batch.value_or(0)));
  return digester.finish();
}

Digest question_digest(const Question& question, const Options& options,
                       const std::vector<Digest>& contents) {
  Digester digester("question");
  digester.add(this_program())
      .add(digest_of_settings(question, options))
      .add(std::bit_cast<std::uint64_t>(options.timeout_seconds.value_or(0)))
      .add(static_cast<std::uint64_t>(options.bitmap));
  for (const Digest& content : contents) digester.add(content);
  if (contents.empty()) {
    for (const auto& file : question.files) digester.add(digest_of_bytes(file));
  }
  if (question.expected) digester.add(digest_of_expectation(*question.expected));
  return digester.finish();
}

}  // namespace pet::app
