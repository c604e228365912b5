// What the fuzzers share: the input as text or as a file, and which exceptions are answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"

namespace septet::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};  // bytes are characters
}

// The input as a file, for readers that take a name: in memory, and another one for each process.
inline std::string file_of(const std::uint8_t* data, std::size_t size, const char* extension) {
  static const std::string path =
      "/dev/shm/septet-fuzz-" + std::to_string(getpid()) + std::string(extension);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text_of(data, size);
  return path;
}

// Reads, or is refused in one of the ways in which input may be; whatever else happens, another
// exception too, is a finding. The result is what libFuzzer wants to hear.
template <class Read>
int read_or_refuse(Read read) {
  try {
    read();
  } catch (const ConfigError&) {
  } catch (const ModelError&) {
  } catch (const UnitError&) {
  }
  return 0;
}

}  // namespace septet::fuzz

// Declared here, because libFuzzer has no header.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
