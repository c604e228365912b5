// The numbers of a GPU that its power needs. Immutable; values and sources live in `data/`.
// Energies are those at full clock and full voltage.
#pragma once

#include "core/base/quantity.hpp"

namespace septet::gpu {

struct PowerSpec {
  Power limit{};           // that the board may draw
  Power idle{};            // nothing runs, clocks down
  Frequency idle_clock{};  // SM clock then
  Power clocks{};          // more for clocks at full speed, nothing running
  Frequency memory_clock{};
  Frequency clock_step{};       // SM clocks are multiples of this
  double voltage_slope = 0;     // fall of the voltage, as a fraction of the fall of the clock
  Duration settle_time{};       // time constant of the clock's fall under load
  double dram_pj_per_byte = 0;  // picojoules
  double l2_pj_per_byte = 0;    // L2 cache, network and the SM's load path
  double bf16_pj_per_flop = 0;  // tensor cores on random operands, fp16 alike
  double fp8_pj_per_flop = 0;
  double tf32_pj_per_flop = 0;
  double fp32_pj_per_flop = 0;     // FMA pipes, registers and issue included
  double instruction_pj = 0;       // of one thread, copies and the like
  double attention_switching = 1;  // of attention's tensor work against a product's
  double unfilled_switching = 1;   // of operands that nothing was written to
};

}  // namespace septet::gpu
