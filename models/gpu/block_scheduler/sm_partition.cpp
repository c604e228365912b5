#include "models/gpu/block_scheduler/sm_partition.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

// Adjacent SMs, wrapping around after the last.
struct SmRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

SmSet set_of(const SmRange& range, std::uint32_t sm_count) {
  if (range.count >= sm_count) return {};  // all
  SmSet set(sm_count, false);
  for (std::uint32_t i = 0; i < range.count; ++i) set[(range.first + i) % sm_count] = true;
  return set;
}

std::vector<SmRange> client_ranges(const GpuSpec& spec, std::uint32_t processes,
                                   const std::vector<double>& shares) {
  std::vector<SmRange> out;
  std::uint32_t next = 0;
  for (std::uint32_t p = 0; p < processes; ++p) {
    const std::uint32_t count = p < shares.size() ? client_sms(spec, shares[p]) : spec.sm_count;
    out.push_back({next, count});
    if (count < spec.sm_count) next = (next + count) % spec.sm_count;
  }
  return out;
}

void check_size(const program::GreenContext& context, const PartitionSpec& spec) {
  if (context.sm_count >= spec.min_sms && context.sm_count % spec.sm_alignment == 0) return;
  throw ModelError(
      fmt::format("green context '{}' of {} SMs: the GPU requires at least {}, in multiples of {}",
                  context.name, context.sm_count, spec.min_sms, spec.sm_alignment));
}

}  // namespace

SmPartitions partition_sms(const program::Program& program, const GpuSpec& spec,
                           std::uint32_t device, const std::vector<double>& shares) {
  SmPartitions out;
  if (shares.empty() && program.contexts.empty()) return out;  // all streams may use all SMs
  const std::vector<SmRange> clients = client_ranges(spec, program.processes, shares);
  for (const SmRange& client : clients) out.sets.push_back(set_of(client, spec.sm_count));
  std::vector<std::uint32_t> taken(program.processes, 0);
  for (const program::GreenContext& context : program.contexts) {
    const SmRange& client = clients[context.process];
    if (context.device != device) {
      out.sets.emplace_back();
      continue;
    }
    check_size(context, spec.partition);
    std::uint32_t& used = taken[context.process];
    if (context.sm_count > client.count - used) {
      throw ModelError(fmt::format("green context '{}' of {} SMs: process {} has {} left",
                                   context.name, context.sm_count, context.process,
                                   client.count - used));
    }
    out.sets.push_back(set_of({client.first + used, context.sm_count}, spec.sm_count));
    used += context.sm_count;
  }
  for (const program::Stream& stream : program.streams) {
    out.of_stream.push_back(stream.context == kNone ? stream.process
                                                    : program.processes + stream.context);
  }
  return out;
}

}  // namespace septet::gpu
