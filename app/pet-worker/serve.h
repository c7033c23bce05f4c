// A Backend behind the worker protocol (app/runtime_worker/README.md), version 2.
#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <stop_token>
#include <string>

#include "app/pet-worker/store.h"
#include "core/backend/backend.h"

namespace pet::app {

inline constexpr int kWorkerProtocol = 2;

// What a worker says of itself beside what its backend says.
struct WorkerFacts {
  std::string build;         // digest of the program and its libraries
  std::uint64_t memory = 0;  // bytes of this machine; a device has its own
};

// Answers requests, one JSON object a line, until the input ends or the program that asks quits.
void serve(Backend& backend, BlobStore& store, const WorkerFacts& facts, std::istream& in,
           std::ostream& out);

}  // namespace pet::app
