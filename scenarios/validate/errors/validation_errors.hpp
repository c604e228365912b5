// How close predictions of the same kind came to measurements: data/fit/validation_errors.jsonl,
// which tools/validation_errors.py writes from what `septet validate` found.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace septet::validation {

// A group of measured rows (data/measurements/README.md).
struct GroupError {
  std::string group;
  double rows = 0;
  double unanswered = 0;
  double median_abs_pct = 0;
  double p90_abs_pct = 0;
};

// A predicted row of serving.
struct ServingError {
  std::string model;
  std::string gpu;
  double gpus = 1;
  std::string engine;
  std::string metric;
  double error_pct = 0;
};

struct ValidationErrors {
  std::vector<GroupError> groups;
  std::vector<ServingError> serving;
};

// Of the first data directory that has the file; empty where none has. Throws ConfigError where it
// can't be read.
ValidationErrors read_validation_errors(const std::vector<std::filesystem::path>& data);

// What is served.
struct ServingSetup {
  std::string model;
  std::string gpu;
  std::string engine;
};

// Measured rows of one metric ("ttft") that are nearest to a set-up, and how they are alike.
struct Neighbours {
  std::string metric;
  std::string likeness;  // "same GPU and engine, models of a similar size"
  std::size_t rows = 0;
  double median_abs_pct = 0;
  double p90_abs_pct = 0;
  double bias_pct = 0;  // median of the error with its sign
};

// For each metric of at least five rows: those of the same GPU, the same family of engines and a
// model of at most twice or at least half the size; where there are too few, of any size, then of
// any engine, then of any GPU.
std::vector<Neighbours> nearest_rows(const std::vector<ServingError>& rows,
                                     const ServingSetup& setup);

// The error to reckon with in predicted times of steps: the median |error| of the nearest rows of
// TPOT, else of throughput. Nothing where there are no rows.
std::optional<Neighbours> step_error(const std::vector<ServingError>& rows,
                                     const ServingSetup& setup);

}  // namespace septet::validation
