// The groups of GPUs of a training step, and what their exchanges take on a network.
//
// GPUs are numbered as Megatron-LM does (core/parallel_state.py, order tp-cp-ep-dp-pp): tensor rank
// fastest, then context, then replicas, then stages. Experts are laid out anew over the same GPUs
// of a stage: expert-tensor rank fastest, then expert rank, then replicas of experts. The groups of
// the first GPU stand for all others.
#pragma once

#include <cstdint>
#include <vector>

#include "models/workload/training/list_cost.hpp"
#include "models/workload/training/training_spec.hpp"
#include "scenarios/system/system_spec.hpp"

namespace septet::training {

// Of the first GPU's group: its members in order.
std::vector<std::uint32_t> members(const TrainingSpec& spec, Group group);

// Exchanges on an idle network, each kind planned once.
ExchangeModel group_exchange(const TrainingSpec& spec, const system::SystemSpec& system);

}  // namespace septet::training
