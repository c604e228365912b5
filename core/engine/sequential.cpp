#include "core/engine/sequential.hpp"

#include <numeric>

#include "core/engine/partition.hpp"

namespace septet {
namespace {

std::vector<ProcessId> all_processes(const Model& model) {
  std::vector<ProcessId> ids(model.processes.size());
  std::iota(ids.begin(), ids.end(), ProcessId{0});
  return ids;
}

void take_rows(Partition& partition, RowSink* sink) {
  RowBuffer* const rows[] = {&partition.rows()};
  if (sink != nullptr) drain(rows, *sink);
}

}  // namespace

RunResult run_sequentially(Model& model, const RunOptions& options) {
  Partition partition(model, options, 0, all_processes(model), nullptr);
  for (ProcessId id = 0; id < model.processes.size(); ++id) partition.start(id);
  take_rows(partition, options.rows);
  while (partition.next() < options.end) {
    partition.handle_before(options.end);
    if (partition.failure()) std::rethrow_exception(partition.failure()->error);
    take_rows(partition, options.rows);
  }
  return {.events = partition.events(),
          .digest = model.processes.digest(),
          .windows = 1,
          .last = partition.last()};
}

}  // namespace septet
