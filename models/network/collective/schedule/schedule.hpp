// A collective as the messages that its ranks exchange, generated one by one as they become due: a
// ring all-reduce over 1,024 GPUs has two million of them, of which 1,024 are in flight at once.
//
// A schedule is a state machine without time. Its driver notifies it when a rank has joined and
// when a message has arrived, and sends the messages that it returns.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/network/topology/router.hpp"

namespace septet::network {

constexpr std::uint32_t kNoGpu = UINT32_MAX;

// Where messages start and end: the ranks of the group, and switches that reduce.
struct Endpoint {
  VertexId vertex = 0;
  std::uint32_t gpu = kNoGpu;  // number of the GPU in the topology
};

// Between GPUs by the router's policy. Throws ConfigError where there is no path.
inline Route route_between(Router& router, const Endpoint& from, const Endpoint& to) {
  const bool gpus = from.gpu != kNoGpu && to.gpu != kNoGpu;
  return gpus ? router.route(from.gpu, to.gpu) : router.between(from.vertex, to.vertex);
}

struct ChunkSend {
  std::uint32_t from = 0;   // endpoint; ranks come first
  std::uint32_t to = 0;     // endpoint
  std::uint64_t label = 0;  // what it means to the schedule
  Bytes bytes{};
};

class Schedule {
 public:
  using Sends = std::vector<ChunkSend>;

  virtual ~Schedule() = default;
  Schedule() = default;
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  virtual std::uint32_t ranks() const = 0;

  // The rank takes part from now on; once for each rank. What it may send now is appended.
  virtual void join(std::uint32_t rank, Sends& sends) = 0;
  // A message has arrived completely. Messages between two endpoints arrive in the order of
  // sending.
  virtual void receive(std::uint32_t to, std::uint64_t label, Sends& sends) = 0;
  // Whether the rank has all that it is to have. Changes with join and receive at that rank only.
  virtual bool finished(std::uint32_t rank) const = 0;
};

// Share `index` of `parts` of a size: equal shares, the first ones one byte larger where it does
// not divide.
inline Bytes share_of(Bytes size, std::uint32_t parts, std::uint32_t index) {
  const std::int64_t whole = size.count() / parts;
  return Bytes(whole + (index < size.count() - whole * parts ? 1 : 0));
}

}  // namespace septet::network
