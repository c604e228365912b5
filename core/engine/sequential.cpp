#include "core/engine/sequential.hpp"

#include <numeric>

namespace septet::engine {
namespace {

std::vector<LpId> all_processes(const Model& model) {
  std::vector<LpId> ids(model.lps.size());
  std::iota(ids.begin(), ids.end(), LpId{0});
  return ids;
}

void take_rows(Partition& partition, trace::RowSink* sink) {
  if (partition.failure()) std::rethrow_exception(partition.failure()->error);
  trace::RowBuffer* const rows[] = {&partition.rows()};
  if (sink != nullptr) drain(rows, *sink);
}

}  // namespace

Partition whole_model(Model& model, const RunOptions& options) {
  return {model, options, 0, all_processes(model), nullptr};
}

void handle_rest(Partition& whole, const RunOptions& options) {
  while (whole.next() < options.end) {
    whole.handle_before(options.end);
    take_rows(whole, options.rows);
  }
}

RunResult run_sequentially(Model& model, const RunOptions& options) {
  Partition whole = whole_model(model, options);
  whole.start();
  take_rows(whole, options.rows);
  handle_rest(whole, options);
  return {
      .events = whole.events(), .digest = model.lps.digest(), .windows = 1, .last = whole.last()};
}

}  // namespace septet::engine
