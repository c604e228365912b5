#include "core/engine/window_run.hpp"

#include <algorithm>
#include <utility>

#include "core/engine/sequential.hpp"

namespace septet::engine {
namespace {

// A single thread continues without windows if partitions had too few events on average to pay for
// fetching their data. Checked periodically.
constexpr std::uint64_t kWindowsPerCheck = 64;
constexpr std::uint64_t kEventsWorthAFetch = 4;

}  // namespace

void WindowRun::WindowResult::include(const WindowResult& other) {
  bounds.include(other.bounds);
  events += other.events;
  handled += other.handled;
  rows += other.rows;
  failed = failed || other.failed;
}

WindowRun::WindowRun(Model& model, const RunOptions& options, Partitioning partitioning)
    : model_(model),
      options_(options),
      mailboxes_(options.threads, partitioning.count()),
      window_results_(options.threads),
      pool_(options.threads, partitioning.count()) {
  model_.lps.set_partitions(std::move(partitioning.of_lp));
  for (std::size_t index = 0; index < partitioning.members.size(); ++index) {
    const auto id = static_cast<PartitionId>(index);
    partitions_.push_back(std::make_unique<Partition>(
        model_, options_, id, std::move(partitioning.members[index]), &mailboxes_));
    mailboxes_.set_home(id, pool_.home(index));
    mailboxes_.set_lookahead(id, partitions_.back()->lookahead());
    rows_.push_back(&partitions_.back()->rows());
  }
}

RunResult WindowRun::run() {
  pool_.run(*this);
  take_rows();
  return sequential_is_better_ ? run_on_sequentially() : result();
}

// The first round starts the LPs, each later one is a window.
bool WindowRun::open_round() {
  if (!std::exchange(started_, true)) return true;
  const WindowResult window = collect_window_results();
  if (window.failed) rethrow_first_failure();
  if (options_.rows != nullptr) take_rows_of_window(window.rows);
  mailboxes_.advance();
  first_ = window.bounds.next_event;
  bound_ = std::min(options_.end, window.bounds.earliest_output);
  if (options_.rows != nullptr) bound_ = std::min(bound_, throttle_.latest_end(first_));
  if (first_ >= options_.end || is_too_fine(window)) return false;
  ++windows_;
  return true;
}

void WindowRun::receive(std::size_t home) {
  mailboxes_.deliver(home, [this](const Event& event) {
    partitions_[model_.lps.partition(event.target)]->deliver(event);
  });
}

void WindowRun::handle(std::size_t thread, std::size_t job) {
  Partition& partition = *partitions_[job];
  if (is_idle(job))
    return window_results_[thread].include(result_of(partition, partition.idle_bounds()));
  mailboxes_.prefetch_boxes(thread);
  partition.begin(thread);
  if (windows_ == 0) {
    partition.start();
  } else {
    partition.handle_before(bound_);
  }
  window_results_[thread].include(result_of(partition, partition.bounds()));
  ++window_results_[thread].handled;
}

bool WindowRun::is_idle(std::size_t job) const {
  return windows_ > 0 && partitions_[job]->is_idle_before(bound_);
}

WindowRun::WindowResult WindowRun::result_of(Partition& partition, const TimestampBounds& bounds) {
  return {.bounds = bounds,
          .events = partition.events(),
          .rows = partition.rows().rows().size(),
          .failed = partition.failure().has_value()};
}

void WindowRun::move(std::size_t partition, std::size_t home) {
  mailboxes_.set_home(static_cast<PartitionId>(partition), home);
}

WindowRun::WindowResult WindowRun::collect_window_results() {
  WindowResult all;
  for (WindowResult& of_thread : window_results_) all.include(std::exchange(of_thread, {}));
  return all;
}

// Only where the partitions were our choice.
bool WindowRun::is_too_fine(const WindowResult& window) {
  handled_ += window.handled;
  if (options_.threads > 1 || options_.partitions > 0) return false;
  if (windows_ == 0 || windows_ % kWindowsPerCheck != 0) return false;
  sequential_is_better_ = window.events < kEventsWorthAFetch * handled_;
  return sequential_is_better_;
}

RunResult WindowRun::run_on_sequentially() {
  Partition whole = whole_model(model_, options_);
  receive(0);
  for (const auto& partition : partitions_) {
    partition->begin(0);
    partition->move_events_to(whole);
  }
  model_.lps.set_partitions({});
  handle_rest(whole, options_);
  RunResult total = result();
  total.events += whole.events();
  total.last = std::max(total.last, whole.last());
  return total;
}

// Rows of starts come before those of any event.
void WindowRun::take_rows_of_window(std::size_t waiting) {
  if (windows_ > 0) throttle_.learn(bound_ - first_, waiting - waiting_rows_);
  const bool take = windows_ == 0 || waiting >= Partition::kRowsPerPause;
  if (take) take_rows();
  waiting_rows_ = take ? 0 : waiting;
}

// Other partitions may have advanced past the event that failed, but none of them before it can be
// missing: a window holds no event that depends on another partition's events of the same window.
void WindowRun::rethrow_first_failure() const {
  const Failure* first = nullptr;
  for (const auto& partition : partitions_) {
    const auto& failure = partition->failure();
    if (failure && (first == nullptr || failure->place < first->place)) first = &*failure;
  }
  if (first != nullptr) std::rethrow_exception(first->error);
}

void WindowRun::take_rows() {
  if (options_.rows != nullptr) drain(rows_, *options_.rows);
}

RunResult WindowRun::result() const {
  RunResult total;
  total.digest = model_.lps.digest();
  total.windows = windows_;
  for (const auto& partition : partitions_) {
    total.events += partition->events();
    total.last = std::max(total.last, partition->last());
  }
  return total;
}

}  // namespace septet::engine
