#include "core/engine/window_run.hpp"

#include <algorithm>
#include <utility>

namespace septet {

WindowRun::WindowRun(Model& model, const RunOptions& options, Partitioning partitioning)
    : model_(model),
      options_(options),
      mail_(partitioning.count()),
      outlooks_(partitioning.count()),
      team_(options.threads, partitioning.count()) {
  model_.processes.set_partitions(std::move(partitioning.of_process));
  for (std::size_t id = 0; id < partitioning.members.size(); ++id) {
    auto& members = partitioning.members[id];
    partitions_.push_back(std::make_unique<Partition>(
        model_, options_, static_cast<PartitionId>(id), std::move(members), &mail_));
    rows_.push_back(&partitions_.back()->rows());
  }
}

RunResult WindowRun::run() {
  start();
  team_.gather([this] {
    while (open_window()) handle_window();
  });
  take_rows();
  return result();
}

void WindowRun::start() {
  for (ProcessId id = 0; id < model_.processes.size(); ++id) {
    partitions_[model_.processes.partition(id)]->start(id);
  }
  for (std::size_t id = 0; id < partitions_.size(); ++id) look_out(id);
  take_rows();
}

void WindowRun::look_out(std::size_t id) {
  Partition& partition = *partitions_[id];
  outlooks_[id] = {partition.next(), partition.earliest_output()};
}

// Finds the bound of the next window; false where the run is over.
bool WindowRun::open_window() {
  mail_.turn();
  first_ = Instant::max();
  bound_ = options_.end;
  for (std::size_t id = 0; id < partitions_.size(); ++id) {
    const Instant arrival = mail_.earliest(static_cast<PartitionId>(id));
    const Instant reaction = add_or_never(arrival, partitions_[id]->lookahead());
    first_ = std::min({first_, outlooks_[id].next, arrival});
    bound_ = std::min({bound_, outlooks_[id].output, reaction});
  }
  if (options_.rows != nullptr) bound_ = std::min(bound_, pace_.latest_end(first_));
  return first_ < options_.end;
}

void WindowRun::handle_window() {
  ++windows_;
  const std::size_t rows_before = waiting_rows();
  team_.run([this](std::size_t id) { return handle_in(id); });
  rethrow_first_failure();
  if (options_.rows == nullptr) return;
  const std::size_t rows = waiting_rows();
  pace_.learn(bound_ - first_, rows - rows_before);
  if (rows >= Partition::kRowsPerPause) take_rows();
}

std::uint64_t WindowRun::handle_in(std::size_t id) {
  Partition& partition = *partitions_[id];
  const std::uint64_t before = partition.events();
  partition.receive();
  partition.handle_before(bound_);
  look_out(id);
  return partition.events() - before;
}

// Other partitions may have gone on past the event that failed, but none of them before it can be
// missing: a window holds no event that depends on another partition's events of the same window.
void WindowRun::rethrow_first_failure() const {
  const Failure* first = nullptr;
  for (const auto& partition : partitions_) {
    const auto& failure = partition->failure();
    if (failure && (first == nullptr || failure->place < first->place)) first = &*failure;
  }
  if (first != nullptr) std::rethrow_exception(first->error);
}

std::size_t WindowRun::waiting_rows() const {
  std::size_t rows = 0;
  for (const RowBuffer* buffer : rows_) rows += buffer->rows().size();
  return rows;
}

void WindowRun::take_rows() {
  if (options_.rows != nullptr) drain(rows_, *options_.rows);
}

RunResult WindowRun::result() const {
  RunResult total;
  total.digest = model_.processes.digest();
  total.windows = windows_;
  for (const auto& partition : partitions_) {
    total.events += partition->events();
    total.last = std::max(total.last, partition->last());
  }
  return total;
}

}  // namespace septet
