#include "core/engine/window_run.hpp"

#include <algorithm>
#include <utility>

#include "core/engine/sequential.hpp"

namespace septet {
namespace {

// A single thread goes on without windows if partitions had fewer events on average, whenever they
// were handled, than it costs to fetch what they need. Looked at now and then.
constexpr std::uint64_t kWindowsPerLook = 64;
constexpr std::uint64_t kEventsWorthAFetch = 4;

}  // namespace

void WindowRun::Findings::include(const Findings& other) {
  outlook.include(other.outlook);
  events += other.events;
  handled += other.handled;
  rows += other.rows;
  failed = failed || other.failed;
}

WindowRun::WindowRun(Model& model, const RunOptions& options, Partitioning partitioning)
    : model_(model),
      options_(options),
      mail_(options.threads, partitioning.count()),
      findings_(options.threads),
      team_(options.threads, partitioning.count()) {
  model_.processes.set_partitions(std::move(partitioning.of_process));
  for (std::size_t index = 0; index < partitioning.members.size(); ++index) {
    const auto id = static_cast<PartitionId>(index);
    partitions_.push_back(std::make_unique<Partition>(
        model_, options_, id, std::move(partitioning.members[index]), &mail_));
    mail_.set_home(id, team_.home(index));
    mail_.set_reaction(id, partitions_.back()->lookahead());
    rows_.push_back(&partitions_.back()->rows());
  }
}

RunResult WindowRun::run() {
  team_.run(*this);
  take_rows();
  return sequential_is_better_ ? run_on_sequentially() : result();
}

// The first round starts the processes, each later one is a window.
bool WindowRun::open() {
  if (!std::exchange(started_, true)) return true;
  const Findings found = collect_findings();
  if (found.failed) rethrow_first_failure();
  if (options_.rows != nullptr) take_rows_of_window(found.rows);
  mail_.turn();
  first_ = found.outlook.next;
  bound_ = std::min(options_.end, found.outlook.output);
  if (options_.rows != nullptr) bound_ = std::min(bound_, pace_.latest_end(first_));
  if (first_ >= options_.end || is_too_fine(found)) return false;
  ++windows_;
  return true;
}

void WindowRun::receive(std::size_t home) {
  mail_.deliver(home, [this](const Event& event) {
    partitions_[model_.processes.partition(event.target)]->deliver(event);
  });
}

void WindowRun::handle(std::size_t thread, std::size_t id) {
  Partition& partition = *partitions_[id];
  if (is_idle(id)) return findings_[thread].include(found_in(partition, partition.idle_outlook()));
  mail_.fetch_boxes(thread);
  partition.begin(thread);
  if (windows_ == 0) {
    partition.start();
  } else {
    partition.handle_before(bound_);
  }
  findings_[thread].include(found_in(partition, partition.outlook()));
  ++findings_[thread].handled;
}

bool WindowRun::is_idle(std::size_t id) const {
  return windows_ > 0 && partitions_[id]->is_idle_before(bound_);
}

WindowRun::Findings WindowRun::found_in(Partition& partition, const Outlook& outlook) {
  return {.outlook = outlook,
          .events = partition.events(),
          .rows = partition.rows().rows().size(),
          .failed = partition.failure().has_value()};
}

void WindowRun::move(std::size_t partition, std::size_t home) {
  mail_.set_home(static_cast<PartitionId>(partition), home);
}

WindowRun::Findings WindowRun::collect_findings() {
  Findings all;
  for (Findings& of_thread : findings_) all.include(std::exchange(of_thread, {}));
  return all;
}

// Only where the partitions were our choice.
bool WindowRun::is_too_fine(const Findings& found) {
  handled_ += found.handled;
  if (options_.threads > 1 || options_.partitions > 0) return false;
  if (windows_ == 0 || windows_ % kWindowsPerLook != 0) return false;
  sequential_is_better_ = found.events < kEventsWorthAFetch * handled_;
  return sequential_is_better_;
}

RunResult WindowRun::run_on_sequentially() {
  Partition whole = whole_model(model_, options_);
  receive(0);
  for (const auto& partition : partitions_) {
    partition->begin(0);
    partition->move_events_to(whole);
  }
  model_.processes.set_partitions({});
  handle_rest(whole, options_);
  RunResult total = result();
  total.events += whole.events();
  total.last = std::max(total.last, whole.last());
  return total;
}

// Rows of starts come before those of any event.
void WindowRun::take_rows_of_window(std::size_t waiting) {
  if (windows_ > 0) pace_.learn(bound_ - first_, waiting - waiting_rows_);
  const bool take = windows_ == 0 || waiting >= Partition::kRowsPerPause;
  if (take) take_rows();
  waiting_rows_ = take ? 0 : waiting;
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
