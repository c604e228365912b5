// Work moved from stream to stream.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/program/program.hpp"

namespace septet::whatif {

// The name of a stream as shown to users: its own, or "stream N" with its index in the program.
std::string stream_label(const program::Program& program, std::uint32_t stream);

// The stream called `text`: its label, or the label's number where one stream alone has it. kNone:
// there is none, or several.
std::uint32_t find_stream(const program::Program& program, const std::string& text);

// The same; throws ConfigError with near misses and the streams that exist.
std::uint32_t require_stream(const std::string& what_if, const program::Program& program,
                             const std::string& text);

// Another stream on the device and of the process of `like`.
std::uint32_t add_stream_like(program::Program& program, std::uint32_t like,
                              const std::string& name);

// A command that takes no CPU time: a record, a wait or a synchronisation.
template <class What>
program::Call free_command(const What& what, std::uint32_t stream) {
  return {.what = what, .stream = stream, .cost = Duration(0)};
}

// Puts the calls of `thread` on the streams of `target` (by stream). A kernel that overlapped the
// one before it on its stream no longer does where another one has come between; returns how many.
std::uint64_t move_streams(program::HostThread& thread, const std::vector<std::uint32_t>& target);

// What a note says about them.
std::string separated_note(std::uint64_t kernels);

}  // namespace septet::whatif
