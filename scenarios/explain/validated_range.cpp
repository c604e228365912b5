#include "scenarios/explain/validated_range.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/gpu/kernel/memory.hpp"
#include "models/gpu/occupancy/occupancy.hpp"
#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/explain/measured_neighbours.hpp"

namespace septet::explain {
namespace {

void check(const ValidatedRange& range, double value, std::vector<std::string>& out) {
  if (value >= range.least && value <= range.most) return;
  const bool below = value < range.least;
  const double factor = below ? range.least / value : value / range.most;
  out.push_back(fmt::format(
      "{}: {:.6g} is {} the validated range of {:.6g} to {:.6g} (group {}) "
      "by a factor of {:.3g}",
      range.what, value, below ? "below" : "above", range.least, range.most, range.group, factor));
}

// Ways of the conflicts of the mean request to shared memory.
double conflict_ways(const SegmentDescription& described) {
  double requests = described.segment[program::Pipe::kLsu];
  for (const AccessDescription& access : described.accesses) requests -= access.batch.requests;
  return 1.0 + described.segment.shared_wavefronts / std::max(1.0, requests);
}

// Instructions of a warp that are under way at a time: their latencies over the chain's.
double independent_instructions(const gpu::KernelSpec& spec, const SegmentDescription& described) {
  double serial = 0;
  for (std::size_t p = 0; p < kEnumSize<program::Pipe>; ++p) {
    serial += described.segment.instructions[p] * spec.pipes[p].latency;
  }
  const double chain = described.segment.chain_cycles;
  return chain > 0 ? serial / std::max(chain, described.issued()) : 0.0;
}

double bytes_of_dram(const KernelDescription& kernel) {
  const auto warps = static_cast<double>(kernel.shape.blocks()) *
                     static_cast<double>(gpu::warps_for(kernel.shape.threads_per_block()));
  double out = 0;
  for (const program::Segment& segment : work_of(kernel).segments) {
    out += segment.repeat * gpu::dram_bytes(segment, warps);
  }
  return out;
}

// The largest over the segments, so that each quantity is named once.
template <class Of>
double largest(const KernelDescription& kernel, Of of) {
  double out = 0;
  for (const SegmentDescription& described : kernel.segments) out = std::max(out, of(described));
  return out;
}

template <class Of>
double largest_access(const KernelDescription& kernel, Of of) {
  return largest(kernel, [&](const SegmentDescription& described) {
    double out = 0;
    for (const AccessDescription& access : described.accesses) out = std::max(out, of(access));
    return out;
  });
}

const char* kKernelGpu = "h200-sxm";
// H100: products and attention of vLLM, in public tables (models/gpu/operators/README.md).
constexpr std::array<std::string_view, 2> kOperatorGpus = {"h200-sxm", "h100-sxm"};

// Between rows, too, shapes can be far from all of them.
void add_distance(const config::WrittenOperator& op, std::vector<std::string>& out) {
  constexpr double kFar = 2.5;  // times, in any field
  for (const std::filesystem::path& data : config::data_directories()) {
    const auto rows = read_measured_shapes(data / "fit" / "operator_errors.jsonl");
    const auto near = neighbours_of(rows, *op.kind, op.what);
    if (!near) continue;
    if (near->factor > kFar) out.push_back(fmt::format("{}: {}", op.name, sentence_of(*near)));
    return;
  }
}

std::vector<std::string> never_compared(const gpu::GpuSpec& gpu, const std::string& with) {
  return {fmt::format("{}: never compared with measurements; only {}", gpu.name, with)};
}

}  // namespace

const ValidatedRange& validated_range(Validated what) {
  static const std::array<ValidatedRange, 8> kRanges = {{
      {"threads of a block", 32, 1024, "memory"},
      {"blocks", 1, 8'388'608, "claim"},
      {"loads of a warp in flight", 0, 8, "memory"},
      {"bytes of a segment's code", 0, 262'144, "compute"},
      {"bytes of random access", 0, 536'870'912, "memory"},
      {"mean ways of bank conflicts", 1, 8, "memory"},
      {"bytes of DRAM traffic", 0, 8'581'545'984, "memory"},
      {"independent instructions of a warp", 0, 8, "compute"},
  }};
  return kRanges[static_cast<std::size_t>(what)];
}

std::vector<std::string> range_warnings(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  std::vector<std::string> out;
  const auto look = [&](Validated what, double value) { check(validated_range(what), value, out); };
  look(Validated::kThreads, static_cast<double>(kernel.shape.threads_per_block()));
  look(Validated::kBlocks, static_cast<double>(kernel.shape.blocks()));
  look(Validated::kLoads, largest_access(kernel, [](const AccessDescription& access) {
         return access.batch.write ? 0.0 : access.batch.requests;
       }));
  look(Validated::kCode, largest(kernel, [](const auto& s) { return s.segment.code_bytes; }));
  look(Validated::kFootprint, largest_access(kernel, [](const AccessDescription& access) {
         return access.batch.footprint_bytes;
       }));
  look(Validated::kConflicts, largest(kernel, conflict_ways));
  look(Validated::kBytes, bytes_of_dram(kernel));
  look(Validated::kIndependent,
       largest(kernel, [&](const auto& s) { return independent_instructions(gpu.kernel, s); }));
  return out;
}

std::vector<std::string> operator_warnings(const gpu::GpuSpec& gpu,
                                           const config::WrittenOperator& op) {
  std::vector<std::string> out;
  const auto on = [&](std::string_view name) { return gpu.name == name; };
  if (std::ranges::none_of(kOperatorGpus, on)) {
    out = never_compared(gpu, "h200-sxm and h100-sxm were");
  }
  const double bytes = bytes_of_call(op.what);
  if (bytes > static_cast<double>(gpu.memory.count())) {
    out.push_back(
        fmt::format("operands and outputs take {:.3g} GB, more than the {:.3g} GB that "
                    "{} has",
                    bytes / 1e9, static_cast<double>(gpu.memory.count()) / 1e9, gpu.name));
  }
  const program::MeasuredOperator& measured = op.kind->measured;
  if (measured.types.empty()) {
    out.push_back(fmt::format("{}: no measured rows, never compared with measurements", op.name));
    return out;
  }
  for (const auto& [key, least, most] : measured.extents) {
    const program::ShapeField& field = *op.kind->field(key);
    const double value = field.get(op.what);
    if (!field.flag) {
      check({key, least, most, "op"}, value, out);
    } else if (value < least || value > most) {
      out.push_back(fmt::format("{} {} {}: rows were only measured {} it", op.name,
                                value != 0 ? "with" : "without", key,
                                value != 0 ? "without" : "with"));
    }
  }
  if (std::ranges::find(measured.types, op.type) == measured.types.end()) {
    std::vector<std::string_view> types;
    for (const program::DataType type : measured.types) types.push_back(text_of(type));
    out.push_back(fmt::format("dtype {}: rows of {} were only measured with {}", text_of(op.type),
                              op.name, fmt::join(types, " and ")));
  }
  if (gpu.name == kKernelGpu) add_distance(op, out);
  return out;
}

std::vector<std::string> gpu_warnings(const gpu::GpuSpec& gpu) {
  if (gpu.name == kKernelGpu) return {};
  return never_compared(gpu, "h200-sxm was");
}

}  // namespace septet::explain
