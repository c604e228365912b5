// The state of one chunk-level simulation; see chunk_simulation.hpp.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/engine/heap_queue.hpp"
#include "models/network/collective/chunks/chunk_simulation.hpp"

namespace septet::network {

class ChunkRun {
 public:
  ChunkRun(Router& router, const AlgorithmPlan& plan, const ChunkWork& work);
  ChunkResult run();

 private:
  // Events. `a`: the rank that joins, or the place of the message in `messages_`.
  enum Kind : std::uint16_t { kJoin, kHop, kDelivery };

  // From one endpoint to another.
  struct Channel {
    std::uint32_t to;
    Route route;
  };
  struct Message {
    std::uint32_t channel = 0;
    std::uint32_t collective = 0;
    std::uint64_t label = 0;
    Bytes bytes{};
    Instant tail{};  // when its last byte is where its first one waits now
    std::uint32_t hop = 0;
  };
  // A collective that some rank has joined and some rank has not finished.
  struct Collective {
    std::unique_ptr<Schedule> schedule;
    std::uint32_t unfinished = 0;  // ranks
  };

  void schedule(Instant at, Kind kind, std::uint64_t a);
  void handle(const engine::Event& event);
  void tell_observer() const;
  void join(std::uint32_t rank, Instant now);
  void deliver(std::uint32_t slot, Instant now);
  void transmit(std::uint32_t slot, Instant now);
  void send_all(std::uint32_t number, Instant now);
  void look_whether_finished(std::uint32_t rank, std::uint32_t number, Instant now);
  Collective& collective(std::uint32_t number);
  std::uint32_t channel(std::uint32_t from, std::uint32_t to);
  std::uint32_t new_slot();
  Duration compute(std::uint32_t rank) const;

  Router& router_;
  const Topology& topology_;
  const AlgorithmPlan& plan_;
  const ChunkWork& work_;

  engine::HeapQueue queue_;
  std::uint64_t sequence_ = 0;
  std::vector<Channel> channels_;
  std::unordered_map<std::uint64_t, std::uint32_t> channel_of_;  // by pair of endpoints
  std::vector<std::uint32_t> last_channel_;                      // by sender
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<Instant> free_at_;  // by link
  std::deque<Collective> collectives_;
  std::uint32_t first_collective_ = 0;   // number of the first one in `collectives_`
  std::vector<std::uint32_t> joined_;    // by rank: collectives
  std::vector<std::uint32_t> finished_;  // by rank: collectives
  Schedule::Sends sends_;
  ChunkResult result_;
};

}  // namespace septet::network
