// The fastest layout of a training step on given GPUs.
//
// Candidates: tensor ranks within a node, context ranks, stages with their chunks, expert ranks,
// stages of ZeRO, micro batches and recomputation, as far as they divide the model, the batch and
// the GPUs. Two bounds leave candidates out: memory (training_memory.hpp); and the time of the
// model's operations, and of those computed again, at the rate of large products with the bubble of
// the schedule, where it is longer than the tenth best step found so far. The others are simulated.
// Candidates are taken by the second bound, so that good ones come early.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/workload/training/goodput.hpp"
#include "models/workload/training/training_memory.hpp"
#include "scenarios/config/fields/field.hpp"
#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/training/simulated_step.hpp"

namespace septet::training {

// What may be varied. Empty lists: everything sensible.
struct PlanChoices {
  std::uint32_t global_batch_size = 0;  // sequences; 0: that of [training]
  std::vector<std::uint32_t> tensor, context, pipeline, chunks, expert, micro_batch, zero_stage;
  std::vector<std::string> recompute;
  std::uint32_t best = 10;  // layouts that are kept
};

// The tables [plan] and [goodput]. Throw ConfigError.
PlanChoices read_plan(const config::ConfigValue& table);
GoodputSpec read_goodput(const config::ConfigValue& table);
const std::vector<const config::FieldText*>& plan_field_texts();
const std::vector<const config::FieldText*>& goodput_field_texts();

struct Candidate {
  TrainingSpec spec;
  MemoryUse memory;
  SimulatedStep step{};
};

struct Sensitivity {
  std::string change;
  Duration step{};
};

struct Plan {
  Candidate given;         // the layout of the file
  bool given_fits = true;  // memory
  std::string nearest;     // the smallest change that makes it fit; empty: none does, or it fits
  std::uint64_t considered = 0, too_large = 0, too_slow = 0, simulated = 0;
  std::optional<MemoryUse> least;        // memory of what needs least, where nothing fits
  std::vector<Candidate> best;           // fastest first
  std::vector<Sensitivity> sensitivity;  // of the fastest
  Bytes memory{};                        // of the GPU
  std::optional<Goodput> goodput{};      // of the fastest, or of the given layout
};

// `system`: that of the hardware. `choices` absent: the given layout alone. `progress`: of the
// search, 0 to 1. Throws ConfigError where the layout of the file is wrong.
Plan make_plan(const config::TrainingCase& training, const system::SystemSpec& system,
               const std::optional<PlanChoices>& choices,
               const std::function<void(double)>& progress);

// The memory that a process finds on a GPU of this size on its data sheet.
Bytes usable_memory(const gpu::GpuSpec& gpu);

// "tensor 8, pipeline 8 x 5, data 16, micro batch 1, recompute full, ZeRO 1"
std::string layout_text(const TrainingSpec& spec);
std::string recompute_text(const Recomputation& recompute);

}  // namespace septet::training
