// Runs the Program of a measured case and reads the clock where the measurement read it.
#pragma once

#include <span>

#include "models/program/builder.hpp"
#include "models/records/api_call_record.hpp"
#include "scenarios/system/run_program.hpp"
#include "scenarios/validate/prediction.hpp"

namespace septet::validation {

class CaseRun {
 public:
  CaseRun(const program::Program& program, const system::SystemSpec& system);

  // From the begin of the first API call to the end of the last one.
  Duration wall() const;
  // The same for the calls of one thread.
  Duration thread_wall(std::uint32_t thread) const;
  // From the begin of call `first` to the end of call `last`, of a program with one thread.
  Duration calls_wall(std::size_t first, std::size_t last) const;
  // From the begin of the first call to the end of the last submission: CPU time of issuing.
  Duration issue() const;
  // Between the GPU's records of events 0 and 1.
  Duration between_events() const;
  // From the first block to the last one of the kernel that ended as `index`th.
  Duration kernel_time(std::size_t index) const;
  // Where most of the time went: a category of the attribution.
  std::string limiter() const;

 private:
  std::span<const records::ApiCallRecord> calls() const {
    return run_.rows.records<records::ApiCallRecord>();
  }
  template <class Begins, class Ends>
  Duration between(Begins begins, Ends ends) const;

  system::ProgramRun run_;
};

// `launches` launches of one kernel between two event records, in one stream.
CaseRun run_between_events(const program::Kernel& kernel, const system::SystemSpec& system,
                           std::int64_t launches = 1);

double us_per(Duration time, std::int64_t count);

// The wall time of a Program, whole or for each of `count` things that it did, in microseconds.
Prediction predict_wall(const program::Program& program, const system::SystemSpec& system);
Prediction predict_wall_per(const program::Program& program, const system::SystemSpec& system,
                            std::int64_t count);

// A spinning kernel of the measuring programs. It compares the SM's clock with a count of cycles
// computed from a clock that was measured beforehand, and looks at the clock once in each turn of
// its loop: it takes a little longer than asked.
program::Kernel measured_spin(const MeasuredRow& row, double microseconds, std::int64_t blocks,
                              std::int64_t threads);

// The kernel of a row with keys blocks and threads (each 1 and 32 where absent).
program::Kernel row_kernel(const MeasuredRow& row, double microseconds);

}  // namespace septet::validation
