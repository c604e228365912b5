// Which work goes to which stream instead:
//
//   FROM:TO[,FROM:TO...]
//
// FROM is a stream by name or number, as traces show it, or /REGEX/ for the kernels that match; TO
// is a stream or `new`, which is another one for each FROM. All pairs apply at once ("7:20,20:7"
// swaps). A ',' belongs to the regular expression until its "/:".
//
// A whole stream moves with everything in it: commands, records, waits and synchronisations.
// Kernels moved by a REGEX wait for their predecessors in their old stream. Their successors there
// do not wait for them, up to the next point at which the stream's results may be used: a record, a
// synchronisation or a blocking copy waits for both streams.
#pragma once

#include <string>
#include <vector>

#include "models/program/program.hpp"

namespace septet::whatif {

struct KernelMove {
  std::string regex;
  std::uint32_t stream = kNone;
};

struct StreamMap {
  std::vector<std::uint32_t> target;  // by stream
  std::vector<KernelMove> kernels;    // the first that matches counts
};

// Adds the streams that are `new` to the program. Throws ConfigError naming what is wrong, with the
// streams that exist.
StreamMap read_stream_map(const std::string& text, program::Program& program);

// Returns notes on what was moved.
std::vector<std::string> apply_stream_map(const StreamMap& map, program::Program& program);

}  // namespace septet::whatif
