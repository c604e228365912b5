// Measures how fast a Kineto trace is read and how much memory that takes. The trace is a file that
// the caller names, or one made for the purpose: CPU operators, API calls, kernels with all their
// arguments, copies and flows, in the proportions and the layout of the PyTorch profiler.
#pragma once

#include <cstdint>
#include <string>

namespace septet::command {

struct KinetoBenchOptions {
  std::uint64_t bytes = 200'000'000;  // of JSON text, when a file is made
  bool gzip = false;                  // compress the file that is made
  std::string path;                   // read this file instead of making one
};

struct KinetoBenchReport {
  std::uint64_t bytes = 0;       // of JSON text (of the file itself when `path` was given)
  std::uint64_t file_bytes = 0;  // on disk
  std::uint64_t entries = 0;     // in traceEvents
  std::uint64_t events = 0;      // that became rows
  double seconds = 0;
  double cpu_seconds = 0;      // of the reading thread; less than `seconds` on a busy machine
  double mb_per_s = 0;         // millions of bytes of JSON text a second
  double mb_per_cpu_s = 0;     // the same per second of CPU time
  double bytes_per_entry = 0;  // growth of the resident set at its peak, per entry
  std::uint64_t peak_growth_bytes = 0;
};

// Throws ConfigError when a file can't be read or made.
KinetoBenchReport run_kineto(const KinetoBenchOptions& options);

// Writes a trace of at least `bytes` of JSON text to `path`; returns its exact size as text. Equal
// sizes give equal files.
std::uint64_t write_kineto_example(const std::string& path, std::uint64_t bytes, bool gzip);

}  // namespace septet::command
