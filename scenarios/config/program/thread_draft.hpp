// The threads of a scenario, groups spelled out: each with its own steps.
#pragma once

#include <vector>

#include "scenarios/config/program/scenario_text.hpp"

namespace septet::config {

// A thread of the program with its own steps.
struct ThreadDraft {
  program::HostThread thread;
  const ThreadText* text;
  std::vector<StepText> steps;
};

std::vector<ThreadDraft> thread_drafts(const ScenarioText& scenario);

}  // namespace septet::config
