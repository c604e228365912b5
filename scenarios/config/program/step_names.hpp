// The events and signals of a program: they exist because a step records or posts them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/config/program/program_draft.hpp"
#include "scenarios/config/program/scenario_text.hpp"

namespace septet::config {

class StepNames {
 public:
  explicit StepNames(ProgramDraft& draft) : draft_(draft) {}

  void steps(const std::vector<StepText>& steps) {
    for (const StepText& step : steps) {
      if (step.record) record(step);
      if (step.post && !signals.has(step.post->text)) {
        signals.add(*step.post, step.place.path, {draft_.build.signal(step.post->text)});
      }
      this->steps(step.steps);
    }
  }

  NameTable events{"an event recorded by some step"};
  NameTable signals{"a signal posted by some step"};

 private:
  void record(const StepText& step) {
    const auto width =
        static_cast<std::uint32_t>(streams_of(step.place, step.stream, draft_).size());
    const std::string path = joined(step.place.path, "record");
    if (events.has(step.record->text)) {
      const std::size_t first = events.find(*step.record, path).size();
      if (first == width) return;
      step.place.fail("record", fmt::format("{} streams", width),
                      fmt::format("{}, as where '{}' is first recorded", first, step.record->text));
    }
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < width; ++i) indices.push_back(draft_.build.event());
    events.add(*step.record, path, std::move(indices));
  }

  ProgramDraft& draft_;
};

}  // namespace septet::config
