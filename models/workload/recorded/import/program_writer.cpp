#include "models/workload/recorded/import/program_writer.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

#include "core/base/error.hpp"
#include "models/workload/recorded/import/orphans.hpp"
#include "models/workload/recorded/import/program_objects.hpp"
#include "models/workload/recorded/import/thread_writer.hpp"

namespace septet::recorded {
namespace {

std::vector<RecordedRow> rows_without_place(const RecordedTrace& trace, const ImportPlans& plans,
                                            const std::vector<Step>& steps) {
  std::vector<RecordedRow> rows;
  for (std::uint32_t c = 0; c < plans.index.commands.size(); ++c) {
    const GpuCommand& command = plans.index.commands[c];
    RecordedRow row;
    row.stream = command.stream;
    row.device = plans.index.streams[command.stream].device;
    const bool orphan = command.call == kNone;
    row.step = step_at(steps, orphan ? command.start : plans.index.calls[command.call].begin);
    row.event = command.event;
    const auto* kernel = trace.activity<KernelActivity>(trace.events[command.event]);
    if (kernel != nullptr) {
      row.collective = kernel->collective.op;
      if (kernel->collective.group != kNoText) {
        row.group = 1 + std::hash<std::string_view>()(trace.text(kernel->collective.group)) / 2;
      }
    }
    row.start = command.start;
    row.duration = command.end - command.start;
    row.lead = plans.commands.commands[c].lead;
    rows.push_back(row);
  }
  return rows;
}

std::string thread_name(const RecordedTrace& trace, std::uint32_t thread) {
  const RecordedThread& recorded = trace.threads[thread];
  return recorded.name.empty() ? "thread " + std::to_string(recorded.thread) : recorded.name;
}

}  // namespace

void write_program(const RecordedTrace& trace, const ImportPlans& plans, Import& import) {
  program::Program& program = import.program;
  program.devices = static_cast<std::uint32_t>(plans.index.devices.size());
  program.streams = plans.index.streams;
  program.events = plans.waits.events;
  program.signals = static_cast<std::uint32_t>(plans.hand_offs.size());
  import.rows = rows_without_place(trace, plans, import.steps);
  ProgramObjects objects(trace, plans.index, plans.commands, program);
  write_orphans(trace, plans, objects, import);
  for (std::uint32_t thread = 0; thread < plans.index.threads.size(); ++thread) {
    if (plans.index.threads[thread].empty()) continue;
    const auto number = static_cast<std::uint32_t>(program.threads.size());
    program.threads.push_back({thread_name(trace, thread), 0, {}});
    ThreadWriter writer(trace, plans, objects, import, number);
    writer.write(thread);
  }
}

}  // namespace septet::recorded
