// Kernels: their shape and what their blocks do. Beyond the limits of a single block, the GPU model
// checks whether a shape fits on an SM.
#include <fmt/format.h>

#include "core/base/units.hpp"
#include "scenarios/config/program/program_draft.hpp"

namespace septet::config {
namespace {

program::InstructionWork instruction_work(const KernelText& text, const gpu::MemorySpec& memory) {
  program::InstructionWork out;
  out.once_cycles = text.once;
  out.wave_cycles = text.wave;
  for (const SegmentText& segment : text.segments) {
    out.segments.push_back(segment_of(segment, memory));
  }
  if (out.segments.empty()) text.place.fail("segments", "an empty list", "at least one segment");
  return out;
}

// CUDA programming guide, "Technical specifications per compute capability"; the same for all.
constexpr program::Dim3 kMostBlocks{0x7FFFFFFF, 65535, 65535};
constexpr program::Dim3 kMostThreads{1024, 1024, 64};

void check_sides(const Place& place, const char* key, const program::Dim3& got,
                 const program::Dim3& most) {
  if (got.x <= most.x && got.y <= most.y && got.z <= most.z) return;
  place.fail(key, fmt::format("{} x {} x {}", got.x, got.y, got.z),
             fmt::format("at most {} x {} x {}", most.x, most.y, most.z));
}

// An operator's kernels are chosen by its library; all others are launched as written.
void check_launch(const KernelText& text) {
  if (!text.place.has("op")) {
    for (const char* key : {"grid", "block"}) {
      if (!text.place.has(key)) text.place.fail(key, "nothing", "it, or op");
    }
    return;
  }
  for (const char* key :
       {"grid", "block", "cluster", "registers", "static_shared", "dynamic_shared"}) {
    if (!text.place.has(key)) continue;
    text.place.fail(key, "a launch configuration together with op", "one of the two");
  }
}

void check_shape(const KernelText& text, const gpu::SmSpec& sm) {
  check_sides(text.place, "grid", text.grid, kMostBlocks);
  const auto threads = text.block.volume();
  if (threads > sm.max_threads_per_block) {
    text.place.fail("block", fmt::format("{} threads", threads),
                    fmt::format("at most {} on this GPU", sm.max_threads_per_block));
  }
  check_sides(text.place, "block", text.block, kMostThreads);
  if (text.registers > sm.max_registers_per_thread) {
    text.place.fail("registers", std::to_string(text.registers),
                    fmt::format("at most {} on this GPU", sm.max_registers_per_thread));
  }
  const Bytes most = sm.shared_per_block_max;
  if (text.static_shared > most || text.dynamic_shared > most - text.static_shared) {
    text.place.fail(text.dynamic_shared > Bytes(0) ? "dynamic_shared" : "static_shared",
                    fmt::format("{} static and {} dynamic", to_text(text.static_shared),
                                to_text(text.dynamic_shared)),
                    fmt::format("together at most {} on this GPU", to_text(most)));
  }
  const bool whole = text.grid.x % text.cluster.x == 0 && text.grid.y % text.cluster.y == 0 &&
                     text.grid.z % text.cluster.z == 0;
  if (!whole) text.place.fail("cluster", "a size that doesn't divide the grid", "whole clusters");
}

// A queue exists because a kernel takes items from it, and belongs to that kernel.
program::KernelWork persistent_work(const KernelText& text, ProgramDraft& draft) {
  for (const char* key : {"block_time", "duration", "segments", "op", "prologue", "by_clock"}) {
    if (text.place.has(key)) {
      text.place.fail(key, "a key of kernels with a known block time together with queue",
                      "one of the two");
    }
  }
  if (!text.items) {
    text.place.fail("items", "no items", "the key `items`: how many items the kernel takes");
  }
  const std::uint32_t queue = draft.build.queue(text.queue->text);
  draft.queues.add(*text.queue, joined(text.place.path, "queue"), {queue});
  return program::PersistentWork{queue, *text.items};
}

// At most one of the keys that say what a kernel does.
void check_one_work(const KernelText& text) {
  static constexpr const char* kKeys[] = {"block_time", "duration", "segments", "op"};
  const char* found = nullptr;
  for (const char* key : kKeys) {
    if (!text.place.has(key)) continue;
    if (found != nullptr) {
      text.place.fail(key, fmt::format("{} besides {}", key, found), "one of the two");
    }
    found = key;
  }
  for (const char* key : {"once", "wave"}) {
    if (text.place.has(key) && !text.place.has("segments")) {
      text.place.fail(key, "a kernel without segments", "both");
    }
  }
}

program::KernelWork work_of(const KernelText& text, const gpu::MemorySpec& memory,
                            ProgramDraft& draft) {
  if (text.queue) return persistent_work(text, draft);
  if (text.items) text.place.fail("items", "items without a queue", "both");
  check_one_work(text);
  if (!text.block_time) {
    if (text.prologue) text.place.fail("prologue", "a prologue without block_time", "both");
    if (text.by_clock) text.place.fail("by_clock", "a kernel without block_time", "both");
    if (text.place.has("segments")) return instruction_work(text, memory);
    if (text.place.has("op")) return text.op;
    return program::RecordedWork{};
  }
  const Duration prologue = text.prologue.value_or(Duration(0));
  if (prologue > *text.block_time) {
    text.place.fail("prologue", to_text(prologue),
                    "at most block_time, " + to_text(*text.block_time));
  }
  program::FixedBlockWork work;
  work.block_time = *text.block_time;
  work.by_clock = text.by_clock;
  work.triggers = text.prologue.has_value();
  work.prologue = prologue;
  return work;
}

}  // namespace

program::LaunchShape shape_of(const KernelText& text, const gpu::SmSpec& sm) {
  check_shape(text, sm);
  return {text.grid,          text.block,          text.registers,
          text.static_shared, text.dynamic_shared, text.cluster};
}

void read_kernels(const ScenarioText& scenario, ProgramDraft& draft) {
  for (const KernelText& text : scenario.kernels) {
    const auto index = static_cast<std::uint32_t>(draft.program().kernels.size());
    draft.kernels.add(text.name, text.place.path, {index});
    check_launch(text);
    const program::LaunchShape shape = shape_of(text, scenario.gpu.sm);
    const program::KernelWork work = work_of(text, scenario.gpu.kernel.memory, draft);
    draft.build.kernel({text.name.text, shape, work, text.arguments});
    draft.recorded.push_back(text.duration);
  }
}

Duration launch_work(const Place& place, std::uint32_t kernel, const std::optional<Duration>& own,
                     const ProgramDraft& draft) {
  const bool recorded =
      std::holds_alternative<program::RecordedWork>(draft.program().kernels[kernel].work);
  if (!recorded) {
    if (own) place.fail("duration", "a duration for a kernel that isn't recorded", "no duration");
    return program::kModelled;
  }
  if (own) return *own;
  if (draft.recorded[kernel]) return *draft.recorded[kernel];
  place.fail("duration", "nothing",
             "a duration here, or block_time, segments, op or duration in kernel '" +
                 draft.program().kernels[kernel].name + "'");
}

}  // namespace septet::config
