// Progress of long work on standard error: a bar with an estimate of the remaining time on a
// terminal, and a plain line every 30 s elsewhere (logs of batch jobs), the first after 30 s.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>

#include "tools/septet/terminal.hpp"

namespace septet::command {

// "replay  42 % [########------------] 1.2 s, 1.7 s left", at most `columns` wide. `fraction` is
// from 0 to 1; nothing is estimated before 1 % is done.
std::string progress_bar(const std::string& label, double fraction, double seconds,
                         std::size_t columns);
// "replay: 42 % done after 1.2 s, about 1.7 s left"
std::string progress_line(const std::string& label, double fraction, double seconds);

// "1.7 s", "3 min 05 s", "2 h 10 min"
std::string duration_text(double seconds);

class Progress {
 public:
  using Clock = std::function<double()>;                   // seconds, rising
  using Writer = std::function<void(const std::string&)>;  // to standard error

  // `quiet` shows nothing at all.
  Progress(std::string label, bool quiet);
  Progress(std::string label, const Terminal& terminal, Clock clock, Writer writer);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap: writes at most ten times a second on a terminal.
  void update(double fraction);

 private:
  std::string label_;
  Terminal terminal_;
  Clock clock_;
  Writer write_;
  double start_ = 0;
  double next_ = 0;
  bool drawn_ = false;
};

}  // namespace septet::command
