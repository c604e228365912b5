// Random models for property tests: random LPs, groups, channels and lookaheads, zero-delay
// events, many ties, output times, rows and, where asked for, handlers that throw or dawdle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/engine/simulation.hpp"
#include "tests/core/engine/recording_sink.hpp"

namespace septet::testing_support {

struct RandomModelOptions {
  std::uint64_t seed = 0;
  bool throws = false;   // now and then a handler throws
  bool dawdles = false;  // handlers sleep and yield now and then, as the clock has it
};

struct Outcome {
  engine::RunResult result;
  std::vector<RecordingSink::Row> rows;
  std::string error;  // of the exception that ended the run, if one did
};

// Builds the model of `options` afresh and runs it.
Outcome run_random_model(const RandomModelOptions& options, unsigned threads, unsigned partitions);

}  // namespace septet::testing_support
