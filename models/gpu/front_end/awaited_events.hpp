// The events that streams of one GPU wait for, and the waiting streams.
//
// Connections whose head waits for an event are polled in turn, `event_poll_interval` apart, so
// that the later ones of several that wait for the same event see it later:
//   latency of turn i = event_wait_latency + event_poll_interval (min(i, connections - 1) + 1/2)
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/gpu/front_end/event_progress.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/program/layout.hpp"

namespace septet::gpu {

class AwaitedEvents {
 public:
  // `events` must outlive this.
  AwaitedEvents(const FrontEndSpec& spec, const program::IndexSet& events,
                std::uint32_t connections)
      : spec_(spec), connections_(connections), events_(events) {}

  // True if the record is done; otherwise the stream waits for it, once however often it asks.
  bool passes(std::uint32_t event, std::uint16_t generation, std::uint32_t stream);

  // A record of any event is done; events that no stream here waits for are not kept. Returns the
  // streams that waited for a record of the event, in polling order.
  std::vector<std::uint32_t> record(std::uint32_t event, std::uint16_t generation);

  // From a record until the stream at this position of the polling order continues.
  Duration latency(std::size_t turn) const;

 private:
  struct Awaited {
    EventProgress progress;
    std::vector<std::uint32_t> streams;
  };

  const FrontEndSpec& spec_;
  const std::uint32_t connections_;
  program::Subset<Awaited> events_;
};

}  // namespace septet::gpu
