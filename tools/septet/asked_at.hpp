// Who is to blame for a mistake.
#pragma once

#include "core/base/error.hpp"

namespace septet {

// Does `work`. A ConfigError that names no place of its own, such as a value of an option, is
// located at `where`, which asked for the work; one in a file that was read meanwhile stays there.
template <class Work>
auto asked_at(const Location& where, Work work) {
  try {
    return work();
  } catch (const ConfigError& error) {
    if (!error.where().file.empty()) throw;
    throw ConfigError(where, error.what());
  }
}

}  // namespace septet
