// What a ConfigError says, in parts: for programs that look at errors.
#pragma once

#include <string>

#include "core/base/error.hpp"

namespace septet {

struct ErrorParts {
  std::string key;  // these are empty where the message has another form
  std::string got;
  std::string wanted;
};

// Of "KEY: got GOT, wanted WANTED", as ConfigError::value writes it.
ErrorParts parts_of(const std::string& reason);

}  // namespace septet
