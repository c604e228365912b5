// Errors in the options of a benchmark.
#pragma once

#include <string>

#include "core/base/error.hpp"

namespace septet::command {

// Throws ConfigError where `holds` is false: "--KEY: got GOT, wanted WANTED", located at the
// option, which makes it a mistake of the command line.
inline void require_option(bool holds, const std::string& key, const std::string& got,
                           const std::string& wanted) {
  if (!holds) throw ConfigError(Location{"--" + key}, "got " + got + ", wanted " + wanted);
}

}  // namespace septet::command
