// Result<T>: a value or an Error. Bad input is an Error; a broken contract is a PET_CHECK
// (check.h).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/util/check.h"

namespace pet {

// What went wrong, as far as a caller may want to react to it. The programs' exit codes follow from
// it.
enum class ErrorKind {
  Malformed,    // the input contradicts itself or cannot be parsed
  Unsupported,  // the input is well formed but says something we cannot read
  Usage,        // the request itself makes no sense (a flag, a missing shape)
  Tool,         // something outside the input failed: a worker, the disk, memory
  Stopped,      // somebody asked us to stop
};

constexpr std::string_view to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Malformed:
      return "malformed";
    case ErrorKind::Unsupported:
      return "unsupported";
    case ErrorKind::Usage:
      return "usage";
    case ErrorKind::Tool:
      return "tool";
    case ErrorKind::Stopped:
      return "stopped";
  }
  return "?";
}

struct Error {
  std::string message;  // one line: file, node, attribute, reason, what to do
  ErrorKind kind = ErrorKind::Malformed;

  // The same error seen from further out: "conv1: expects rank-4 input".
  Error within(const std::string& where) && { return {where + ": " + message, kind}; }
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  bool ok() const { return state_.index() == 0; }

  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(value()); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const Error& error() const& {
    PET_CHECK(!ok(), "error() of a Result that holds a value");
    return std::get<1>(state_);
  }
  Error&& error() && {
    PET_CHECK(!ok(), "error() of a Result that holds a value");
    return std::get<1>(std::move(state_));
  }

 private:
  const T& value() const {
    PET_CHECK(ok(), std::get<1>(state_).message);
    return std::get<0>(state_);
  }
  T& value() {
    PET_CHECK(ok(), std::get<1>(state_).message);
    return std::get<0>(state_);
  }

  std::variant<T, Error> state_;
};

// The Result of something that makes nothing.
struct Done {};
using Status = Result<Done>;

}  // namespace pet
