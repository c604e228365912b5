#include "models/workload/recorded/import/steps.hpp"

#include <algorithm>

namespace septet::recorded {
namespace {

constexpr std::size_t kShortestPeriod = 8;

struct Launch {
  std::uint32_t name;
  std::uint32_t call;
};

std::vector<Launch> launches(const RecordedTrace& trace, const RecordingIndex& index) {
  std::vector<Launch> sequence;
  for (std::uint32_t c = 0; c < index.calls.size(); ++c) {
    for (const std::uint32_t command : index.calls[c].commands) {
      sequence.push_back({trace.events[index.commands[command].event].name, c});
    }
  }
  return sequence;
}

// The smallest period of the sequence, by the failure function of Knuth, Morris and Pratt. The
// sequence's own length when it has no shorter one.
std::size_t period(const std::vector<Launch>& sequence) {
  std::vector<std::size_t> border(sequence.size() + 1, 0);
  for (std::size_t i = 1, length = 0; i < sequence.size(); ++i) {
    while (length > 0 && sequence[i].name != sequence[length].name) length = border[length];
    if (sequence[i].name == sequence[length].name) ++length;
    border[i + 1] = length;
  }
  return sequence.size() - border[sequence.size()];
}

std::vector<Step> periodic_steps(const RecordedTrace& trace, const RecordingIndex& index) {
  const std::vector<Launch> sequence = launches(trace, index);
  std::size_t length = period(sequence);
  if (length < kShortestPeriod || sequence.size() < 2 * length) length = sequence.size();
  std::vector<Step> steps;
  for (std::size_t first = 0; first < sequence.size(); first += length) {
    const std::uint32_t call = sequence[first].call;
    steps.push_back({"step " + std::to_string(steps.size()), index.calls[call].begin, call, {}});
  }
  if (steps.empty()) steps.push_back({"step 0", Instant{}, kNone, {}});
  return steps;
}

// The first call at or after each step's begin that launches something and lies in the step.
void find_first_launches(const RecordingIndex& index, std::vector<Step>& steps) {
  for (std::uint32_t c = 0; c < index.calls.size(); ++c) {
    if (index.calls[c].commands.empty()) continue;
    Step& step = steps[step_at(steps, index.calls[c].begin)];
    if (step.call == kNone && index.calls[c].begin >= step.begin) step.call = c;
  }
}

std::vector<Step> annotated_steps(const RecordedTrace& trace, const RecordingIndex& index) {
  std::vector<Step> steps;
  for (const RecordedEvent& event : trace.events) {
    if (event.kind != RecordedKind::kAnnotation) continue;
    const std::string_view name = trace.text(event.name);
    if (!name.starts_with("ProfilerStep")) continue;
    // The annotation may begin before the first API call, which is where time starts.
    const Instant begin = std::max(event.start, index.origin);
    steps.push_back({std::string(name), Instant((begin - index.origin).count()), kNone, {}});
  }
  if (!steps.empty()) find_first_launches(index, steps);
  return steps;
}

}  // namespace

std::vector<Step> find_steps(const RecordedTrace& trace, const RecordingIndex& index) {
  std::vector<Step> steps = annotated_steps(trace, index);
  if (steps.empty()) steps = periodic_steps(trace, index);
  for (Step& step : steps) {
    if (step.call != kNone) step.marked = index.calls[step.call].begin;
  }
  return steps;
}

std::uint32_t step_at(const std::vector<Step>& steps, Instant instant) {
  const auto after =
      std::upper_bound(steps.begin(), steps.end(), instant,
                       [](Instant value, const Step& step) { return value < step.begin; });
  return after == steps.begin() ? 0 : static_cast<std::uint32_t>(after - steps.begin() - 1);
}

}  // namespace septet::recorded
