// Splits streams shared by several host threads, so that each thread has its own.
//
// A shared stream orders all work of all threads. On streams of their own, threads are ordered only
// where the program says so:
//   - a hand-off (post, await) carries the order of streams with it: what the awaiting thread
//     submits afterwards waits for what the posting one had submitted before;
//   - a synchronisation with a shared stream waits for what all threads have put into it;
//   - events mark what their own thread submitted, and what reached it by hand-offs.
// Everything else that the shared stream had ordered incidentally becomes independent. Streams that
// one thread uses alone stay as they are.
#pragma once

#include <cstdint>

#include "models/program/program.hpp"

namespace septet::whatif {

struct ThreadStreams {
  std::uint64_t shared = 0;  // streams that were split
  std::uint64_t parts = 0;   // number of resulting streams
  std::uint64_t hand_offs = 0;
  std::uint64_t synchronizations = 0;  // that wait for several parts
  std::uint64_t separated = 0;         // see move_streams
};

ThreadStreams split_streams_by_thread(program::Program& program);

}  // namespace septet::whatif
