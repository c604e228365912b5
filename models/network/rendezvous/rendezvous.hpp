// Rendezvous of the ranks of collectives: part of the network, as one logical process.
//
// A GPU reports that its rank's kernel is on the SMs. Calls are matched by their order on each rank
// of the communicator; sends and receives by their order for each pair of ranks. When the last rank
// has arrived the collective starts up, independently of contention, then moves its bytes, sharing
// links with other transfers of this rendezvous (link_sharing.hpp); then all ranks are notified. It
// runs one lookahead ahead of the engine's clock: it is notified of everything that late, and
// decides at T - lookahead what happens at T, which is exact since every start-up lasts at least
// two lookaheads (call_table.hpp). Not modelled: that ranks leave a collective one after another.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/base/fifo.hpp"
#include "core/base/slot_pool.hpp"
#include "core/engine/logical_process.hpp"
#include "models/network/flows/link_meter.hpp"
#include "models/network/flows/link_sharing.hpp"
#include "models/network/rendezvous/call_table.hpp"
#include "models/network/rendezvous/straggler_wait.hpp"
#include "models/network/rendezvous/traced_links.hpp"
#include "models/program/protocol.hpp"
#include "models/program/waiting.hpp"

namespace septet::network {

class Rendezvous : public engine::LogicalProcess {
 public:
  // What all of them share; must outlive them.
  struct Wiring {
    const program::Program& program;
    const CollectiveCallTable& calls;
    const CollectiveModel& network;
    const std::vector<engine::LpId>& gpus;  // by device
    std::vector<std::int32_t>
        timing_method_codes{};  // by call: its code in dictionary "timing_method"
    trace::TableId collectives = 0;
    std::uint32_t traced_gpus = kNone;  // rows are written for this many GPUs, from the first
    trace::TableId links = 0;
    const TracedLinks* traced_links = nullptr;  // null: no rows of links
  };

  Rendezvous(const Wiring& wiring, std::uint32_t number);

  void handle(const engine::Event& event, engine::Context& context) override;

  // When nothing more can happen: the first collective of each communicator in which ranks wait.
  std::vector<program::IncompleteCollective> incomplete() const;

  // Adds, by device, how long other ranks waited for its ranks so far. Sends and receives don't
  // count: waiting for the other side follows from the order of the pipeline and is not caused by
  // the rank. Ranks that come last at once share the waiting.
  void add_straggler_waits(std::vector<StragglerWait>& by_device) const;

 private:
  struct Arrival {
    std::uint32_t call = 0;
    std::uint32_t rank = 0;
    std::uint32_t device = 0;
    std::uint32_t stream = 0;
    std::uint32_t work = 0;  // of the GPU
    Instant at;
  };
  // Ranks that have come to one collective.
  struct Pending {
    std::vector<Arrival> arrivals;
    std::uint32_t call = 0;        // of the lowest rank, or of the sender
    std::uint32_t generation = 0;  // of its scheduled end
  };
  struct RankState {
    std::uint64_t calls = 0;
    StragglerWait straggler_wait;
  };
  // The pending collectives of a communicator in their order, and what each rank has done.
  struct Group {
    Fifo<std::uint32_t> open;
    std::uint64_t first = 0;  // position of the first of them
    std::vector<RankState> ranks;
  };
  // What a sender and a receiver have called that the other one has not.
  struct Pair {
    Fifo<std::uint32_t> open;
    program::CollectiveOp op = program::CollectiveOp::kSend;  // of the open ones
    std::uint64_t met = 0;
  };
  struct PairKey {
    std::uint32_t communicator = 0, sender = 0, receiver = 0;
    auto operator<=>(const PairKey&) const = default;
  };

  void arrived(const engine::Event& event, engine::Context& context);
  void join_group(const Arrival& arrival, engine::Context& context);
  void join_pair(const Arrival& arrival, engine::Context& context);
  void check_match(const Pending& pending, const Arrival& arrival, std::uint64_t position) const;
  [[noreturn]] void refuse(const Pending& pending, const Arrival& arrival,
                           std::uint64_t position) const;
  void complete(std::uint32_t pending, engine::Context& context);
  void begin_transfer(std::uint32_t pending, engine::Context& context);
  void schedule(const std::vector<LinkSharing::Ending>& endings, engine::Context& context);
  void end(std::uint32_t pending, engine::Context& context);
  static const Arrival& last_arrival(const Pending& pending);
  void charge_stragglers(const Pending& pending, Instant last);
  void emit(const Pending& pending, engine::Context& context) const;
  void emit(const std::vector<LinkInterval>& intervals, engine::Context& context) const;
  const program::Collective& collective_of(const Arrival& arrival) const;
  Instant ahead(const engine::Context& context) const { return context.now() + lookahead_; }

  const Wiring& wiring_;
  const Duration lookahead_;
  LinkSharing links_;
  std::optional<LinkMeter> meter_;  // where links are traced
  SlotPool<Pending> pending_;
  std::map<std::uint32_t, Group> groups_;  // by communicator
  std::map<PairKey, Pair> pairs_;
};

}  // namespace septet::network
