#include "tools/septet/results/run_progress.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "core/base/error.hpp"

namespace septet::command {
namespace {

constexpr double kLongSeconds = 10;
constexpr double kShownSeconds = 0.5;  // shorter runs have no progress

double memory_bytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace

RunProgress::RunProgress(const std::string& label, const system::WorkEstimate& estimate, bool quiet)
    : expected_(std::max(1.0, estimate.rows)) {
  if (estimate.seconds >= kShownSeconds) progress_.emplace(label, quiet);
}

trace::RowSink* RunProgress::rows(trace::RowSink* next) {
  next_ = next;
  return progress_ ? this : next;
}

void RunProgress::consume(trace::TableId table, std::span<const std::byte> row) {
  constexpr std::uint64_t kRowsBetweenLooks = 1024;
  if (next_ != nullptr) next_->consume(table, row);
  if (++seen_ % kRowsBetweenLooks == 0 && progress_) {
    progress_->update(static_cast<double>(seen_) / expected_);
  }
}

void announce(const std::string& name, const system::WorkEstimate& estimate) {
  if (estimate.seconds < kLongSeconds) return;
  fmt::print(stderr, "septet: note: {}: about {:.2g} events, {} and {:.1f} GB of memory\n", name,
             estimate.events, duration_text(estimate.seconds), estimate.bytes / 1e9);
}

void check_fits(const std::string& name, const system::WorkEstimate& estimate, bool unlimited) {
  if (unlimited || estimate.bytes <= memory_bytes()) return;
  throw ModelError(fmt::format(
      "{}: the rows of about {:.2g} events need {:.0f} GB of memory, this machine has {:.0f} GB; "
      "hardware.traced_gpus keeps only those of some GPUs, --no-limits runs it anyway",
      name, estimate.events, estimate.bytes / 1e9, memory_bytes() / 1e9));
}

}  // namespace septet::command
