// Several processes on one GPU.
//
// Time-sliced (without MPS): one process has the whole GPU for a slice, then all of its blocks are
// switched out and the next process with work goes on; a process with nothing to do gives up the
// rest of its slice. Blocks that watch the clock end as soon as they are back after their time;
// others go on where they stopped. With MPS the processes share the SMs like streams of one.
#include <algorithm>

#include "models/gpu/gpu.hpp"
#include "models/gpu/gpu_internal.hpp"

namespace septet {
namespace {

// So many turns in a row in which nothing happened (37 minutes on an H200): nothing ever will.
constexpr std::uint32_t kIdleTurnsMost = 1'000'000;

}  // namespace

std::uint32_t Gpu::client_of_stream(std::uint32_t stream) const {
  return layout_.processes.slot(program_.streams[stream].process);
}

LpId Gpu::host_of(std::uint32_t stream) const {
  return wiring_.hosts[program_.streams[stream].process];
}

std::uint32_t Gpu::client_of(const Event& event) const {
  const auto a = static_cast<std::uint32_t>(event.a);
  switch (event.kind) {
    case kCollectiveDone:
    case gpu_events::kStartWork:
    case gpu_events::kEndWork:
      return client_of_stream(call_stream(commands_[works_[a].command]));
    case gpu_events::kStartGraph:
      return client_of_stream(call_stream(commands_[a]));
    case gpu_events::kNodeReady:
    case gpu_events::kHostNodeEnd:
      return client_of_stream(call_stream(commands_[graph_runs_[a].command]));
    case gpu_events::kPumpStream:
      return client_of_stream(a);
    case gpu_events::kCohortEnd:
    case gpu_events::kTrigger:
      return static_cast<std::uint32_t>(event.b);
    case gpu_events::kSharedDue:
      return a;
    default:
      return active_;
  }
}

// True when the event belongs to a process that is switched out: it is kept until that is back.
bool Gpu::deferred(const Event& event) {
  if (!sliced()) return false;
  const std::uint32_t client = client_of(event);
  if (client == active_) return false;
  clients_[client].deferred.push_back(event);
  return true;
}

void Gpu::client_arrival(std::uint32_t client, Context& context) {
  ++clients_[client].outstanding;
  if (!sliced()) return;
  if (active_ == kNone && !switching_) return activate(client, context);
  if (client != active_) start_slice(context);
}

void Gpu::client_completion(std::uint32_t client, Context& context) {
  --clients_[client].outstanding;
  if (!sliced() || clients_[client].outstanding > 0 || client != active_) return;
  const bool others = std::any_of(clients_.begin(), clients_.end(),
                                  [](const Client& c) { return c.outstanding > 0; });
  if (others) {
    switch_out(context);
  }
}

// Ends the active process's turn one slice after it began, once somebody else waits.
void Gpu::start_slice(Context& context) {
  if (slice_running_ || active_ == kNone || idle_turns_ >= kIdleTurnsMost) return;
  slice_running_ = true;
  const Instant end = std::max(context.now(), activated_ + spec_.time_slice.slice);
  context.schedule(end - context.now(), gpu_events::event(gpu_events::kSliceEnd, turn_));
}

void Gpu::slice_ended(std::uint64_t turn, Context& context) {
  if (turn != turn_ || active_ == kNone) return;  // that turn is over already
  switch_out(context);
}

void Gpu::switch_out(Context& context) {
  const std::uint32_t from = active_;
  const Distributor* distributor = clients_[from].distributor.get();
  const std::uint64_t resident = distributor == nullptr ? 0 : distributor->resident_blocks();
  const auto blocks = static_cast<std::int64_t>(resident);
  clients_[from].switched_out = context.now();
  if (clients_[from].shared) clients_[from].shared->pause(context.now());
  ++clients_[from].shared_generation;
  active_ = kNone;
  switching_ = true;
  ++turn_;
  ++idle_turns_;
  slice_running_ = false;
  const TimeSliceSpec& spec = spec_.time_slice;
  context.schedule(spec.switch_time + spec.switch_time_per_block * blocks,
                   gpu_events::event(gpu_events::kSwitchedIn, from));
}

// The next process with work, starting behind `from`, has the GPU.
void Gpu::switched_in(std::uint32_t from, Context& context) {
  switching_ = false;
  for (std::size_t i = 1; i <= clients_.size(); ++i) {
    const auto client = static_cast<std::uint32_t>((from + i) % clients_.size());
    if (clients_[client].outstanding > 0) return activate(client, context);
  }
}

void Gpu::activate(std::uint32_t index, Context& context) {
  Client& client = clients_[index];
  active_ = index;
  activated_ = context.now();
  if (client.switched_out != Instant::max()) {
    const Duration frozen = context.now() - client.switched_out;
    if (client.distributor) client.distributor->add_frozen(frozen);
    client.switched_out = Instant::max();
    if (client.shared) client.shared->resume(context.now());
    schedule_shared(index, context);
  }
  std::vector<Event> events;
  events.swap(client.deferred);
  for (const Event& event : events) dispatch(event, context);
  for (std::uint32_t i = 0; i < layout_.streams.size(); ++i) {
    const std::uint32_t s = layout_.streams[i];
    if (client_of_stream(s) == index) pump(s, WaitCause::kProcess, context);
  }
  for (std::uint32_t p = 0; p < clients_.size(); ++p) {
    if (p != index && clients_[p].outstanding > 0) return start_slice(context);
  }
}

// Time by which the front end is slower because other processes use the GPU as well (MPS).
Duration Gpu::client_gap() const {
  if (clients_.size() < 2 || sliced()) return Duration(0);
  std::int64_t active = 0;
  for (const Client& client : clients_) active += client.outstanding > 0 ? 1 : 0;
  return spec_.front_end.client_gap * std::max<std::int64_t>(0, active - 1);
}

}  // namespace septet
