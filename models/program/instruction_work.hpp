// What the warps of a kernel do, where no duration is known: the input of the kernel model
// (models/gpu/kernel). Counts are per warp and may be fractions (averages over warps).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"

namespace septet::program {

// Execution pipes. Integer multiply-add shares the FMA pipe; kOther only takes issue slots.
enum class Pipe : std::uint8_t {
  kFma,
  kAlu,
  kImad,
  kInteger,
  kFp64,
  kSfu,     // special-function units
  kTensor,  // the warp waits for these
  kShuffle,
  kReduce,
  kLsu,  // load and store units
  kBranch,
  kOther
};
constexpr auto enum_table(std::type_identity<Pipe>) {
  return enum_texts<Pipe>("fma", "alu", "imad", "integer", "fp64", "sfu", "tensor", "shuffle",
                          "reduce", "lsu", "branch", "other");
}

// What runs on each, for help and messages.
inline constexpr std::array<std::string_view, kEnumSize<Pipe>> kPipeMeanings = {
    "single-precision multiply-add",
    "comparisons, logic, single-precision minimum, etc.",
    "integer multiply-add, on the FMA pipe",
    "other integer work, at half rate",
    "double precision",
    "transcendental functions",
    "warp-wide matrix instructions (16 x 8 x 16)",
    "warp shuffles",
    "warp-wide integer reductions",
    "loads and stores, one wavefront each",
    "branches",
    "instructions that only use issue slots"};
constexpr std::string_view meaning_of(Pipe pipe) {
  return kPipeMeanings[static_cast<std::size_t>(pipe)];
}

// Memory instructions of a warp that are in flight together. The warp waits for all loads of a
// batch before it goes on; it does not wait for writes.
struct MemoryBatch {
  double times = 1;     // in an iteration, one after the other; fractions: on average
  double requests = 1;  // warp instructions
  double sectors = 4;   // 32-byte sectors of a request
  double lines = 1;     // 128-byte lines of a request
  double bytes_below_l1 =
      0;                  // of a request, where the memory moves more than the sectors; 0: those
  double extra_rows = 0;  // DRAM rows of a request beyond those of dense access
  double l1_hit = 0;      // share of requests, 0 to 1
  double l2_hit = 0;      // of those that miss L1
  double footprint_bytes = 0;  // of random access, for the TLB; 0: dense
  bool write = false;
  bool streaming = true;  // many SMs read neighbouring rows at once
  constexpr bool operator==(const MemoryBatch&) const = default;
};

// What each warp does `repeat` times.
struct Segment {
  double repeat = 1;
  std::array<double, kEnumSize<Pipe>> instructions{};    // warp instructions by pipe
  std::array<double, kEnumSize<Pipe>> bank_conflicts{};  // register bank conflicts by pipe
  double chain_cycles = 0;         // one warp's dependency chain, its own issue in it, memory not
  double shared_wavefronts = 0;    // of shared memory, beyond one for each request
  double code_bytes = 0;           // of the body, fetched in each iteration
  double async_tensor_cycles = 0;  // of a scheduler's tensor pipe, beside all else, for each warp
  std::vector<MemoryBatch> batches;
  bool operator==(const Segment&) const = default;

  double& operator[](Pipe pipe) { return instructions[static_cast<std::size_t>(pipe)]; }
  double operator[](Pipe pipe) const { return instructions[static_cast<std::size_t>(pipe)]; }
};

// A kernel that the model times: its warps run the segments one after the other.
struct InstructionWork {
  std::vector<Segment> segments;
  double once_cycles = 0;  // once a grid: first fetch of code and parameters, first touch of pages
  double wave_cycles = 0;  // once a wave: dependent loads before the data, ends of a pipeline
  bool operator==(const InstructionWork&) const = default;
};

}  // namespace septet::program
