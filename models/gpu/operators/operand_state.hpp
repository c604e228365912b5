// Where the operands of a call are when it starts, and what that does to its DRAM traffic.
#pragma once

#include "models/gpu/gpu_spec.hpp"
#include "models/program/operator_work.hpp"

namespace septet::gpu {

// DRAM bytes written by a call that finds the L2 cache full of a buffer that was just written: a
// share of its lines is still dirty and goes out as new lines replace them at random,
//   share L2 (1 - exp(-(read + written) / L2)),
// and of the call's own output what the cache can't keep, written - L2 (1 - exp(-written / L2)).
double cold_writes(const GpuSpec& gpu, double read, double written);

// Share of the written bytes that cause no DRAM write; below 0 where replaced lines add writes.
double write_hit(const GpuSpec& gpu, const program::OperandState& state, double read,
                 double written);

// What the L2 cache keeps of `bytes` from one replay of a graph, or one repetition of a call, to
// the next: 1 - Phi((bytes - 0.8 L2) / 0.25 L2). Sets of several buffers collide sooner and less
// sharply than one buffer that is read over and over.
double replayed_hit(const GpuSpec& gpu, double bytes);
// The state that this makes of the next one's operands: mostly kept outputs are written over before
// they leave the cache.
program::OperandState replayed_state(const GpuSpec& gpu, double bytes);

}  // namespace septet::gpu
