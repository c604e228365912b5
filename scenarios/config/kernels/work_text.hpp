// What a kernel's warps do, as written.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "models/gpu/kernel/kernel_spec.hpp"
#include "scenarios/config/fields/field.hpp"

namespace septet::config {

// Memory instructions of a warp that are in flight together.
struct AccessText {
  Place place;
  double requests = 1;
  std::optional<Bytes> element;
  std::optional<double> sectors, lines;
  Bytes moved{};
  double extra_rows = 0;
  double l1_hit = 0;
  std::optional<double> l2_hit;
  std::optional<Bytes> working_set;
  Bytes footprint{};
  bool write = false;
  bool dependent = false;
  bool streaming = true;
};

struct PipeCounts {
  Place place;
  std::array<double, kEnumSize<program::Pipe>> of{};
};

struct SegmentText {
  Place place;
  double repeat = 1;
  PipeCounts instructions;
  PipeCounts register_conflicts;
  double chain = 0;
  double barrier = 0;
  double active_lanes = 32;
  double shared_wavefronts = 0;
  Bytes code{};
  double async_tensor = 0;
  std::vector<AccessText> memory;
};

const Fields<SegmentText>& segment_fields();
const Fields<AccessText>& access_fields();
const Fields<PipeCounts>& pipe_count_fields();

// As the kernel model takes them; `memory` turns working sets into hit rates. Loads and stores that
// are not counted are those of `memory`. Throws ConfigError where the keys contradict each other.
program::Segment segment_of(const SegmentText& text, const gpu::MemorySpec& memory);
program::MemoryBatch batch_of(const AccessText& text, const gpu::MemorySpec& memory);

}  // namespace septet::config
