#include "models/gpu/occupancy/occupancy.hpp"
#include "scenarios/validate/launch_cases.hpp"

namespace septet::validation {
namespace {

Prediction blocks_per_sm(const MeasuredRow& row, const system::SystemSpec& system) {
  program::LaunchShape shape;
  shape.block = {static_cast<std::uint32_t>(row.integer("threads")), 1, 1};
  shape.registers_per_thread = static_cast<std::uint32_t>(row.integer("regs"));
  shape.dynamic_shared = Bytes(row.integer("smem"));
  if (why_impossible(system.gpu.sm, shape)) return {0.0, *why_impossible(system.gpu.sm, shape)};
  const gpu::Occupancy occupancy = occupancy_of(system.gpu.sm, shape);
  return {static_cast<double>(occupancy.blocks_per_sm), std::string(text_of(occupancy.limiter))};
}

}  // namespace

std::vector<CaseKind> occupancy_cases() { return {{"occupancy", "occupancy", blocks_per_sm}}; }

}  // namespace septet::validation
