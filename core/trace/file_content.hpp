// The contents of a trace file besides its tables, as plain values: attributes, and small compound
// tables such as /bottlenecks.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace septet::trace {

// The version of the layout; a reader rejects any other.
constexpr std::int64_t kTraceSchemaVersion = 1;

constexpr std::size_t kChunkRows = 64 * 1024;

using AttributeValue = std::variant<std::string, std::int64_t, std::uint64_t, double>;

using CompoundValues =
    std::variant<std::vector<std::string>, std::vector<std::int64_t>, std::vector<double>>;

// One field of a small compound table; all fields of a table have the same length.
struct CompoundColumn {
  std::string name;
  std::string units;  // empty for text
  CompoundValues values;
};

// Whether HDF5 locks the file: as HDF5_USE_FILE_LOCKING says (default: yes), always, or never
// (for file systems that cannot lock).
enum class FileLocking : std::uint8_t { kAuto, kOn, kOff };

}  // namespace septet::trace
