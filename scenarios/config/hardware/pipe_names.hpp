// What the execution pipes are called in files and messages.
#pragma once

#include <array>

#include "models/program/instruction_work.hpp"

namespace septet {

struct PipeName {
  Pipe pipe;
  const char* key;
  const char* meaning;
};

const std::array<PipeName, kPipes>& pipe_names();

// "fma", "load_store", ...
const char* key_of(Pipe pipe);

}  // namespace septet
