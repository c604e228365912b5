#include "tools/septet/progress.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace septet::command {
namespace {

constexpr double kBarPeriod = 0.1;    // seconds between two drawings of the bar
constexpr double kLinePeriod = 30.0;  // seconds between two plain lines
constexpr double kLeastForEstimate = 0.01;
constexpr std::size_t kWidestBar = 40;
constexpr std::size_t kNarrowestBar = 5;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void write_to_standard_error(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

double seconds_left(double fraction, double seconds) { return seconds * (1 - fraction) / fraction; }

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const long whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string progress_bar(const std::string& label, double fraction, double seconds,
                         std::size_t columns) {
  const std::string head = fmt::format("{} {:3.0f} %", label, fraction * 100);
  std::string tail = duration_text(seconds);
  if (fraction >= kLeastForEstimate && fraction < 1) {
    tail += fmt::format(", {} left", duration_text(seconds_left(fraction, seconds)));
  }
  const std::size_t used = head.size() + tail.size() + 4;  // two blanks and two brackets
  const std::size_t cells = columns > used ? std::min(kWidestBar, columns - used) : 0;
  if (cells < kNarrowestBar) return fmt::format("{} {}", head, tail).substr(0, columns);
  const auto full = static_cast<std::size_t>(fraction * static_cast<double>(cells));
  return fmt::format("{} [{}{}] {}", head, std::string(full, '#'), std::string(cells - full, '-'),
                     tail);
}

std::string progress_line(const std::string& label, double fraction, double seconds) {
  std::string out =
      fmt::format("{}: {:.0f} % done after {}", label, fraction * 100, duration_text(seconds));
  if (fraction >= kLeastForEstimate && fraction < 1) {
    out += fmt::format(", about {} left", duration_text(seconds_left(fraction, seconds)));
  }
  return out;
}

Progress::Progress(std::string label, bool quiet)
    : Progress(std::move(label), describe_terminal(stderr), steady_seconds,
               quiet ? Writer([](const std::string&) {}) : Writer(write_to_standard_error)) {}

Progress::Progress(std::string label, const Terminal& terminal, Clock clock, Writer writer)
    : label_(std::move(label)),
      terminal_(terminal),
      clock_(std::move(clock)),
      write_(std::move(writer)),
      start_(clock_()),
      next_(start_ + (terminal_.interactive ? kBarPeriod : kLinePeriod)) {}

// The bar is erased, so that what follows stands where it stood.
Progress::~Progress() {
  if (drawn_) write_("\r\x1b[K");
}

void Progress::update(double fraction) {
  const double now = clock_();
  if (now < next_) return;
  fraction = std::clamp(fraction, 0.0, 1.0);
  if (terminal_.interactive) {
    next_ = now + kBarPeriod;
    drawn_ = true;
    write_("\r" + progress_bar(label_, fraction, now - start_, terminal_.columns - 1) + "\x1b[K");
  } else {
    next_ = now + kLinePeriod;
    write_(progress_line(label_, fraction, now - start_) + "\n");
  }
}

}  // namespace septet::command
