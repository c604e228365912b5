// What the attention kernels share: steps of a tile, bytes, splits.
#pragma once

#include <initializer_list>
#include <vector>

#include "models/gpu/operators/attention.hpp"

namespace septet::gpu {

struct FlashTile {
  double queries = 128;
  double keys = 128;
};

double divide_up(double a, double b);  // ceil(a / b)

// Query heads that share a head of keys and values.
double heads_per_group(const program::Attention& attention);

// Bytes of all queries (as many of outputs), and of all keys and values.
double query_bytes(const program::Attention& attention);
double key_value_bytes(const program::Attention& attention);
// Keys and values of one step.
double step_bytes(const program::Attention& attention, double keys);

// Steps of `tile` that each row of query tiles takes, first to last.
std::vector<double> steps_by_row(const program::Attention& attention, FlashTile tile);

// Cycles of the arithmetic of one step: both products, and the softmax that nothing hides.
double arithmetic_cycles(const GpuSpec& gpu, const program::Attention& attention, FlashTile tile,
                         double softmax_per_cycle);

// Instructions of threads beside the products, for each score: largest, difference and scale,
// exponential, sum, conversion, and the share of the output's rescaling.
constexpr double kSoftmaxInstructions = 6;
// Backward: difference and exponential, and the gradient's difference, product and conversions.
constexpr double kSoftmaxBackwardInstructions = 8;

// Of a persistent prefill kernel: the path of its slowest SM, and all of its work.
struct FlashPath {
  FlashTile tile;
  double softmax_per_cycle = 1;
  double steps = 0;        // on the path
  double tiles = 0;        // on the path
  double tile_cycles = 0;  // of each, in addition to its steps
  double start_cycles = 0;
  double all_steps = 0;
  double all_tiles = 0;
};
OperatorTime prefill_time(const GpuSpec& gpu, const program::Attention& attention,
                          const FlashPath& path, Frequency clock);

// Bytes a clock cycle of the L2 cache, and of DRAM as pipelines of tiles reach it.
double l2_bytes_per_cycle(const GpuSpec& gpu, Frequency clock);
double dram_bytes_per_cycle(const GpuSpec& gpu, Frequency clock);

}  // namespace septet::gpu
