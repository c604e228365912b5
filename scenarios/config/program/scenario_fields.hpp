// The fields of scenario files: one row for each key that a table may hold.
#pragma once

#include <string>
#include <vector>

#include "scenarios/config/program/scenario_text.hpp"

namespace septet::config {

const Fields<ScenarioText>& scenario_fields();
const Fields<HardwareText>& hardware_choice_fields();
const Fields<RunSettings>& run_fields();          // of every run
const Fields<RunSettings>& program_run_fields();  // with the limits of a program
const Fields<ProcessText>& process_fields();
const Fields<GreenContextText>& green_context_fields();
const Fields<CommunicatorText>& communicator_fields();
const Fields<network::NetworkSpec>& interconnect_fields();
const Fields<training::TrainingSpec>& training_fields();
const Fields<training::Recomputation>& recomputation_fields();
const Fields<training::Style>& style_fields();
const Fields<training::SlowGpu>& slow_gpu_fields();
const Fields<OtherGpusText>& other_gpus_fields();
const Fields<StreamText>& stream_fields();
const Fields<KernelText>& kernel_fields();
const Fields<KernelText>& kernel_shape_fields();  // those of them that say how it is launched
const Fields<GraphText>& graph_fields();
const Fields<NodeText>& node_fields();
const Fields<ThreadText>& thread_fields();
const Fields<StepText>& step_fields();
const Fields<WhatIfText>& what_if_fields();

// Actions of a step or node, and the keys that go with each.
struct Verb {
  std::string key;
  std::vector<std::string> takes;
};
const std::vector<Verb>& step_verbs();
const std::vector<Verb>& node_verbs();

// The verb of a step or node. Throws where there is none, more than one, or a key that doesn't go
// with it.
const Verb& verb_of(const Place& place, const std::vector<Verb>& verbs);

}  // namespace septet::config
