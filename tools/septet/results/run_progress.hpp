// How far a simulation is: told by its rows, of which the estimate says how many there will be.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/trace/row.hpp"
#include "scenarios/system/work_estimate.hpp"
#include "tools/septet/progress.hpp"

namespace septet::command {

class RunProgress : public trace::RowSink {
 public:
  RunProgress(const std::string& label, const system::WorkEstimate& estimate, bool quiet);

  // The sink of a run whose rows go to `next` as well; null: to nobody.
  trace::RowSink* rows(trace::RowSink* next);

  void consume(trace::TableId table, std::span<const std::byte> row) override;

  // Erases what stands on the terminal.
  void end() { progress_.reset(); }

 private:
  std::optional<Progress> progress_;  // none of a run that takes no time
  double expected_ = 1;
  std::uint64_t seen_ = 0;
  trace::RowSink* next_ = nullptr;
};

// On standard error, where a run is long: how many events, and about how much time and memory.
void announce(const std::string& name, const system::WorkEstimate& estimate);

// Throws ModelError where a run needs more memory than the machine has, unless `unlimited`.
void check_fits(const std::string& name, const system::WorkEstimate& estimate, bool unlimited);

}  // namespace septet::command
