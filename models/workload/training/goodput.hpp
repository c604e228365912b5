// Useful time of a training run over days: steps, checkpoints, failures.
//
// Steps follow one another without change, so only what interrupts them is simulated: a checkpoint
// after each interval of work (what blocks of it; the rest is written beside the steps), and
// failures, which come independently at a constant rate for each GPU. A failure is noticed after a
// while, the job restarts on other GPUs as long as there are spares, on a repaired one after them,
// and repeats what came after the last checkpoint. Without an interval the one is taken that loses
// least on average, sqrt(2 C M) with C blocked a checkpoint and M between failures (Young, "A first
// order approximation to the optimum checkpoint interval", 1974).
//
// Llama 3 405B saw one unplanned interruption in 50,700 GPU-hours: 419 in 54 days on 16,384 GPUs,
// and more than 90 % useful time (Llama team, "The Llama 3 herd of models", 2024, section 3.3.4).
//
// Ignored: failures while restarting that need longer than a restart, checkpoints that are lost,
// storage that several jobs share.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/quantity.hpp"

namespace septet::training {

struct GoodputSpec {
  double days = 30;
  double gpu_hours_between_failures = 50'700;
  Duration checkpoint{};     // that steps stand still for
  Duration interval{};       // of work between checkpoints; zero: the best
  Duration detection{};      // until a failure is noticed
  Duration restart{};        // until the first step runs again
  Duration repair{};         // of a GPU's node
  std::uint32_t spares = 0;  // nodes
  std::uint32_t seeds = 20;
};

struct Goodput {
  double useful = 0;    // share of the time; the mean of all seeds, as are those below
  double least = 0;     // of the worst seed
  double repeated = 0;  // after a failure
  double checkpoints = 0;
  double waiting = 0;  // for detection, restart, repair
  double failures = 0;
  Duration interval{};
  std::vector<double> by_day;  // useful share of each day
};

// Throws ConfigError where a number makes no sense.
Goodput goodput(const GoodputSpec& spec, std::uint32_t gpus, std::uint64_t seed);

}  // namespace septet::training
