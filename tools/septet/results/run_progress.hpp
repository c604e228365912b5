// Progress of a simulation: the rows so far, of the number estimated beforehand.
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

  // The sink of a run whose rows also go to `next`, unless null.
  trace::RowSink* rows(trace::RowSink* next);

  void consume(trace::TableId table, std::span<const std::byte> row) override;

  // Clears the line on the terminal.
  void end() { progress_.reset(); }

 private:
  std::optional<Progress> progress_;  // none for short runs
  double expected_ = 1;
  std::uint64_t seen_ = 0;
  trace::RowSink* next_ = nullptr;
};

// On standard error, where a run is long: how many events, and about how much time and memory.
void announce(const std::string& name, const system::WorkEstimate& estimate);

// Throws ModelError where a run needs more memory than the machine has, unless `unlimited`.
void check_fits(const std::string& name, const system::WorkEstimate& estimate, bool unlimited);

}  // namespace septet::command
