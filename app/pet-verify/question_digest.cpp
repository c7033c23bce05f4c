#include "app/pet-verify/question_digest.h"

#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <span>
#include <vector>

#include "core/onnx/model.h"

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
Digest digest_of_model(const std::filesystem::path& path, const ReadOptions& reading) {
  try {
    if (const auto model = read_model(path, reading)) return model->digest;
  } catch (const std::bad_alloc&) {
    // What cannot be held can still be told apart.
  }
  return digest_of_bytes(path);
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

Digest digest_of_settings(const Question& question, const Options& options) {
  const ProofOptions& proof = options.proof.proof;
  Digester digester("settings");
  digester.add(std::bit_cast<std::uint64_t>(proof.log2_error))
      .add(static_cast<std::uint64_t>(proof.bind_weights))
      .add(static_cast<std::uint64_t>(proof.in_detail))
      .add(static_cast<std::uint64_t>(proof.memory_bytes))
      .add(static_cast<std::uint64_t>(question.outputs == OutputMatch::ByPosition))
      .add(static_cast<std::uint64_t>(options.all_sizes))
      .add(options.engine)
      .add(options.limits.steps ? fmt::format("{} steps", *options.limits.steps) : "no limit");
  digester.add(static_cast<std::uint64_t>(question.files.size()));  // a case is held to itself too
  digester.add(static_cast<std::uint64_t>(question.reading.dimensions.size()));
  for (const auto& [name, size] : question.reading.dimensions)
    digester.add(name).add(static_cast<std::uint64_t>(size));
  return digester.finish();
}

Digest question_digest(const Question& question, const Options& options) {
  Digester digester("question");
  digester.add(PET_VERSION)
      .add(digest_of_settings(question, options))
      .add(std::bit_cast<std::uint64_t>(options.timeout_seconds.value_or(0)))
      .add(static_cast<std::uint64_t>(options.bitmap));
  for (const auto& file : question.files) {
    digester.add(question.files.size() == 1 ? digest_of_bytes(file)
                                            : digest_of_model(file, question.reading));
  }
  if (question.expected) digester.add(digest_of_expectation(*question.expected));
  return digester.finish();
}

}  // namespace pet::app
