// A command of `septet` as people call it: its exit code, and what it prints where.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tools/septet/commands.hpp"

namespace septet::testing {

struct Result {
  int code = 0;
  std::string out;
  std::string errors;
};

// `septet NAME ARGUMENTS...`, where `command` is the only one.
inline Result run_command_line(const command::Subcommand& command,
                               const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {std::string(command.name)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Result result;
  result.code = command::run_program({"septet", "", nullptr, {&command, 1}}, words);
  result.out = ::testing::internal::GetCapturedStdout();
  result.errors = ::testing::internal::GetCapturedStderr();
  return result;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace septet::testing
