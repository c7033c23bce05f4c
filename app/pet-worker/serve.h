// A Backend behind the worker protocol (app/runtime_worker/README.md), version 2.
#pragma once

#include <istream>
#include <ostream>
#include <stop_token>

#include "app/pet-worker/store.h"
#include "core/backend/backend.h"

namespace pet::app {

inline constexpr int kWorkerProtocol = 2;

// Answers requests, one JSON object a line, until the input ends or the program that asks quits.
void serve(Backend& backend, BlobStore& store, std::istream& in, std::ostream& out);

}  // namespace pet::app
