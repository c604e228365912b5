// The three kinds of failure in Septet, by cause.
//
// ConfigError: the user's input is invalid; names file, line, key, what was found and what was
// expected. ModelError: the input is well formed but outside what a model can answer; as a
// RangeError, a number in it or derived from it exceeds the range of its type.
// SEPTET_ASSERT: our bug; always on, prints the expression and its location, and aborts.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace septet {

// A location in an input file. Line and column count from 1; 0 means unknown. `byte` counts from 0
// and is used instead where lines are meaningless (-1: not given).
struct Location {
  std::string file;
  std::int64_t line = 0;
  std::int64_t column = 0;
  std::int64_t byte = -1;

  std::string text() const;  // "file:12:3", "file:12", "file: byte 345" or "file"
};

class ConfigError : public std::runtime_error {
 public:
  ConfigError(Location where, const std::string& message);
  const Location& where() const { return where_; }
  std::string reason() const;  // what() without the place

  // "FILE:LINE:COLUMN: KEY: got GOT, wanted WANTED"
  static ConfigError value(Location where, const std::string& key, const std::string& got,
                           const std::string& wanted);

 private:
  Location where_;
};

class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class RangeError : public ModelError {
 public:
  using ModelError::ModelError;
};

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace septet

#define SEPTET_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::septet::assertion_failed(#condition, __FILE__, __LINE__))
