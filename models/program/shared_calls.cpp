// Lists of calls that threads share, spelled out.
#include "models/program/program.hpp"

namespace septet::program {

Program spelled_out(Program program) {
  for (HostThread& thread : program.threads) {
    if (thread.list == kNone) continue;
    thread.calls = program.call_lists[thread.list];
    thread.list = kNone;
    for (Call& call : thread.calls) {
      if (uses_stream(call.kind())) call.stream += thread.offsets.stream;
      if (event_in(call) != kNone) *index_in(call) += thread.offsets.event;
      if (auto* wait = get_if<SynchronizeDevice>(call)) wait->device += thread.offsets.device;
    }
    // Communicators are still looked up: collectives are the Program's, not the thread's.
    thread.offsets.stream = thread.offsets.event = thread.offsets.device = 0;
  }
  program.call_lists.clear();
  return program;
}

}  // namespace septet::program
