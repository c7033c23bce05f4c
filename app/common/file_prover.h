// Proves what a run has written, and keeps the certificate of what was proved last.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "core/onnx/model.h"
#include "core/program/file_verdict.h"

namespace pet::app {

class CertifyingProver {
 public:
  struct Options {
    double budget_s = 600;
    bool certifies = true;
    ProofOptions::Progress progress = [](std::string_view, double) {};
    std::stop_token stop;  // ends a proof with an Error
  };
  explicit CertifyingProver(Options options) : options_(std::move(options)) {}

  Result<FileVerdict> prove(const Model& original, const Model& written, double log2_error);
  // That a file is a copy needs no proof.
  void certify_copy(const Model& model);
  // Of what was proved last, or why there is none; nothing where none was asked for.
  const std::optional<Result<std::string>>& certificate() const { return certificate_; }

 private:
  Options options_;
  std::optional<Result<std::string>> certificate_;
};

}  // namespace pet::app
