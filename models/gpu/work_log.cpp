#include "models/gpu/work_log.hpp"

#include <algorithm>

namespace septet::gpu {
namespace {

// Of a collective: from its start until its last rank arrived; of other kernels -1.
Duration waited_of(const Work& work) {
  if (!work.is_collective()) return Duration(-1);
  return std::max(Duration(0), work.complete - work.start);
}

}  // namespace

void WorkLog::ended(const Work& work, const Command& command, bool shown,
                    engine::Context& context) {
  if (shown) {
    extent_.add(work.start, context.now());
    if (traced()) write(work, command, context);
  }
  if (metered(work)) meter(work, context.now());
}

void WorkLog::meter(const Work& work, Instant end) {
  if (!work.is_collective()) {
    activity_.add(ActivityKind::kCompute, work.start, end);
  } else {
    const bool pair = point_to_point(environment_.program.collectives[work.object].op);
    activity_.add(pair ? ActivityKind::kWaitingForPeer : ActivityKind::kWaiting, work.start,
                  work.complete);
    activity_.add(ActivityKind::kMoving, std::max(work.start, work.complete), end);
  }
  activity_.ended(work.begun, end);
}

std::uint64_t WorkLog::blocks_of(const Work& work) const {
  if (work.is_collective()) return environment_.calls[work.call].plan.channels;
  if (work.blocks > 0) return work.blocks;
  return environment_.program.kernels[work.object].shape.blocks();
}

void WorkLog::write(const Work& work, const Command& command, engine::Context& context) const {
  const records::GpuRecord origin = record_of(work, command, context.now());
  if (!work.is_kernel()) {
    const bool memset = work.kind == WorkKind::kMemset;
    const records::CopyKind kind =
        memset ? records::CopyKind::kMemset : records::copy_kind(work.direction);
    return context.emit(environment_.copies, records::CopyRecord{origin, kind, work.bytes});
  }
  const std::int32_t name = work.is_collective() ? environment_.collective_codes[work.object]
                                                 : environment_.kernel_codes[work.object];
  const auto blocks = static_cast<std::int64_t>(blocks_of(work));
  context.emit(environment_.kernels, records::KernelRecord{origin, name, blocks, waited_of(work)});
}

// What rows of kernels and of copies say.
records::GpuRecord WorkLog::record_of(const Work& work, const Command& command, Instant end) const {
  const program::Call& call = *command.call;
  const program::GraphNode* node =
      work.node == kNone ? nullptr : &environment_.graphs[graph_in(call)].nodes()[work.node];
  const bool own = node != nullptr && node->correlation != 0;
  records::GpuRecord out;
  out.issued = command.issued;
  out.arrived = command.arrived;
  out.ready = work.ready;
  out.start = work.start;
  out.end = end;
  out.stream = static_cast<std::int32_t>(command.stream);
  out.device = static_cast<std::int32_t>(device_);
  out.cause = work.cause;
  out.thread = static_cast<std::int32_t>(command.name.thread);
  out.call = static_cast<std::int64_t>(command.name.call);
  if (node != nullptr) out.node = static_cast<std::int32_t>(work.node);
  out.correlation = static_cast<std::int64_t>(own ? node->correlation : call.correlation);
  return out;
}

void WorkLog::item_ended(const QueueItem& item, std::uint32_t stream, engine::Context& context) {
  const std::uint32_t kernel = item.push().kernel;
  if (kernel == kNone) return;
  extent_.add(item.seen, context.now());
  if (!traced()) return;
  records::KernelRecord row;
  row.issued = item.issued;
  row.arrived = item.pushed;
  row.ready = row.start = item.seen;
  row.end = context.now();
  row.name = environment_.kernel_codes[kernel];
  row.blocks = static_cast<std::int64_t>(environment_.program.kernels[kernel].shape.blocks());
  row.stream = static_cast<std::int32_t>(stream);
  row.device = static_cast<std::int32_t>(device_);
  row.cause = item.cause;
  row.thread = static_cast<std::int32_t>(item.name.thread);
  row.call = static_cast<std::int64_t>(item.name.call);
  row.correlation = static_cast<std::int64_t>(item.call->correlation);
  context.emit(environment_.kernels, row);
}

void WorkLog::recorded(std::uint32_t event, std::uint32_t stream, Instant at,
                       engine::Context& context) {
  if (!traced()) return;
  const auto number = [](std::uint32_t id) { return static_cast<std::int32_t>(id); };
  context.emit(environment_.event_records,
               records::EventRecord{at, number(event), number(stream), number(device_)});
}

}  // namespace septet::gpu
