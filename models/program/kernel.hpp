// Kernels as a Program describes them: how they are launched and what their blocks do.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/base/quantity.hpp"
#include "models/program/instruction_work.hpp"
#include "models/program/operator_work.hpp"

namespace septet::program {

struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  constexpr std::uint64_t volume() const { return std::uint64_t{x} * y * z; }
  constexpr bool operator==(const Dim3&) const = default;
};

// What stage 3 (warp creation) needs to know of a launch.
struct LaunchShape {
  Dim3 grid;
  Dim3 block;
  std::uint32_t registers_per_thread = 16;
  Bytes static_shared{};
  Bytes dynamic_shared{};
  Dim3 cluster;  // blocks per cluster; 1 x 1 x 1: no clusters

  constexpr std::uint64_t blocks() const { return grid.volume(); }
  constexpr std::uint64_t threads_per_block() const { return block.volume(); }
  constexpr bool operator==(const LaunchShape&) const = default;
};

// The whole kernel's duration was measured somewhere (Call::work carries it for each launch).
struct RecordedWork {
  constexpr bool operator==(const RecordedWork&) const = default;
};

// Every block runs for the same time once it is on an SM.
struct FixedBlockWork {
  Duration block_time{};
  // The block watches the clock: time during which its process is switched out counts as well.
  bool by_clock = false;
  // Executes griddepcontrol.launch_dependents after `prologue` (part of block_time), then
  // griddepcontrol.wait: the rest waits for the kernel before it where the launch is programmatic.
  bool triggers = false;
  Duration prologue{};
  constexpr bool operator==(const FixedBlockWork&) const = default;
};

// A persistent kernel: its blocks take items from a queue in host memory until `items` were taken.
struct PersistentWork {
  std::uint32_t queue = 0;
  std::uint64_t items = 0;
  constexpr bool operator==(const PersistentWork&) const = default;
};

using KernelWork =
    std::variant<RecordedWork, FixedBlockWork, PersistentWork, InstructionWork, OperatorWork>;

// The shape of an operator's kernels is their library's choice: `shape` says nothing then.
struct Kernel {
  std::string name;
  LaunchShape shape;
  KernelWork work;
  Bytes argument_bytes{};
  bool operator==(const Kernel&) const = default;
};

}  // namespace septet::program
