#include "scenarios/whatif/call_times.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace septet::whatif {
std::vector<std::vector<CallTime>> call_times(const program::Program& program,
                                              const analysis::RunRows& rows) {
  std::vector<std::vector<CallTime>> times(program.threads.size());
  auto row = rows.calls.begin();
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    Instant now;
    for (const program::Call& call : program.threads[t].calls) {
      if (!shown_in_traces(call.kind())) {
        times[t].push_back({now, now});
        continue;
      }
      SEPTET_ASSERT(row != rows.calls.end() && row->thread == static_cast<std::int32_t>(t));
      times[t].push_back({row->start, row->end});
      now = row->end;
      ++row;
    }
  }
  return times;
}

std::vector<TimedCall> calls_in_order(const program::Program& program,
                                      const analysis::RunRows& rows, std::uint32_t process) {
  const std::vector<std::vector<CallTime>> times = call_times(program, rows);
  std::vector<TimedCall> calls;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    if (program.threads[t].process != process) continue;
    for (std::size_t c = 0; c < times[t].size(); ++c) calls.push_back({times[t][c].start, t, c});
  }
  std::stable_sort(calls.begin(), calls.end(),
                   [](const TimedCall& a, const TimedCall& b) { return a.start < b.start; });
  return calls;
}

std::vector<Instant> marker_times(const program::Program& program, const analysis::RunRows& rows) {
  const std::vector<std::vector<CallTime>> times = call_times(program, rows);
  std::vector<Instant> markers;
  for (std::size_t t = 0; t < times.size(); ++t) {
    for (std::size_t c = 0; c < times[t].size(); ++c) {
      if (program::is<program::Marker>(program.threads[t].calls[c]))
        markers.push_back(times[t][c].start);
    }
  }
  std::sort(markers.begin(), markers.end());
  return markers;
}

}  // namespace septet::whatif
