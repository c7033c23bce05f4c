// Are two ONNX files the same program? Their interfaces first (theory: section 6a), then the
// engines.
#pragma once

#include <span>

#include "core/onnx/model.h"
#include "core/program/file_verdict.h"
#include "verify/files/file_interface.h"
#include "verify/verdict/engine.h"

namespace pet {

struct FileProofOptions {
  ProofOptions proof;
  OutputMatch outputs = OutputMatch::ByName;
  // The engines are asked of a file and its copy, too, of which nobody needs to be told: whoever
  // holds engines to account does that.
  bool asks_of_copies = false;
};

// What the engines say together (consensus.h). A file and its copy, by bits and external data, are
// equivalent at once, and across what no proof reaches (Model::unprovable) nothing else is.
// REQUIRES: at least one engine
FileVerdict prove_files(const Model& original, const Model& mutant,
                        std::span<Engine* const> engines, const FileProofOptions& options);

// With the engines that there are.
FileVerdict prove_files(const Model& original, const Model& mutant,
                        const FileProofOptions& options);

// Of a file and its copy: the same bytes, external data included, read with the same sizes. One
// program, whatever it holds.
FileVerdict proof_of_copy(const Model& model);

}  // namespace pet
