#include "tests/core/engine/random_model.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "core/base/random.hpp"
#include "tests/core/engine/recording_sink.hpp"

namespace septet::testing_support {
namespace {

struct Peer {
  engine::LpId id;
  Duration lookahead;
  bool outside;  // of the group
};

struct Traits {
  bool throws = false;
  bool dawdles = false;
  double branching = 1;  // events scheduled per event handled, on average
};

void dawdle() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  const std::uint64_t dice = RandomStream({static_cast<std::uint64_t>(now), 0, 0}).below(64);
  if (dice < 8) std::this_thread::yield();
  if (dice == 63) std::this_thread::sleep_for(std::chrono::microseconds(30));
}

// Everything that it does follows from its state, and its state from every event that it handled
// and their order. Now and then it is mute: it sends nothing out of its group until a time, unless
// an event from outside came to it; some LPs tell. `b` of an event is how many generations
// may follow, `a` stirs the state.
class RandomLp : public engine::LogicalProcess {
 public:
  RandomLp(std::vector<Peer> peers, Traits traits, bool dynamic_lookahead)
      : peers_(std::move(peers)), traits_(traits), dynamic_lookahead_(dynamic_lookahead) {}

  void start(engine::Context& context) override {
    random_ = context.random(1);
    const std::uint64_t events = random_.below(4);
    for (std::uint64_t n = 0; n < events; ++n) {
      context.schedule(Duration(static_cast<std::int64_t>(random_.below(20))),
                       message(1, 20 + random_.below(40)));
    }
    emit_numbers(context, 1, {context.self()});
  }

  void handle(const engine::Event& event, engine::Context& context) override {
    if (traits_.dawdles) dawdle();
    if (event.kind == kFromOutside) mute_until_ = Instant{};
    state_ = (state_ ^ event.a ^ event.order) * 0x9E3779B97F4A7C15ULL + event.kind;
    emit_rows(context);
    if (traits_.throws && random_.below(150) == 0) fail(context);
    if (random_.below(3) == 0) be_mute(context);
    double wish = random_.uniform() * 2 * traits_.branching;
    for (; event.b > 0 && wish > random_.uniform(); wish -= 1) act(event.b - 1, context);
  }

  bool has_dynamic_lookahead() const override { return dynamic_lookahead_; }
  Instant earliest_output_time(Instant next) const override {
    return dynamic_lookahead_ ? mute_until_ : next;
  }

 private:
  static constexpr std::uint16_t kFromOutside = 2;

  engine::Message message(std::uint16_t kind, std::uint64_t generations) {
    return {.kind = kind,
            .a = state_,
            .b = generations,
            .phase = static_cast<engine::Phase>(random_.below(4))};
  }

  void emit_rows(engine::Context& context) {
    for (std::uint64_t n = random_.below(3); n > 0; --n) {
      emit_numbers(context, 0,
                   {context.now().count(), context.self(), static_cast<std::int64_t>(state_),
                    static_cast<std::int64_t>(n)});
    }
  }

  void fail(const engine::Context& context) const {
    throw std::runtime_error("LP " + std::to_string(context.self()) + " at " +
                             std::to_string(context.now().count()) + " in state " +
                             std::to_string(state_));
  }

  void be_mute(const engine::Context& context) {
    const Duration more(static_cast<std::int64_t>(random_.below(300)));
    mute_until_ = std::max(mute_until_, context.now() + more);
  }

  void act(std::uint64_t generations, engine::Context& context) {
    const std::uint64_t dice = random_.below(10);
    if (dice < 2 || peers_.empty()) {
      context.schedule(Duration{}, message(1, generations));
    } else if (dice < 5) {
      const auto delay = static_cast<std::int64_t>(random_.below(30));
      context.schedule(Duration(delay), message(1, generations));
    } else {
      send(peers_[random_.below(peers_.size())], generations, context);
    }
  }

  void send(const Peer& peer, std::uint64_t generations, engine::Context& context) {
    if (peer.outside && context.now() < mute_until_) return;
    const auto more = static_cast<std::int64_t>(random_.below(3) * random_.below(20));
    context.send(peer.id, peer.lookahead + Duration(more),
                 message(peer.outside ? kFromOutside : std::uint16_t{3}, generations));
  }

  const std::vector<Peer> peers_;
  const Traits traits_;
  const bool dynamic_lookahead_;
  RandomStream random_{RandomKey{}};
  std::uint64_t state_ = 0;
  Instant mute_until_;
};

class Builder {
 public:
  explicit Builder(const RandomModelOptions& options)
      : random_(RandomKey{.seed = options.seed, .owner = 0xFFFFFF}),
        traits_{options.throws, options.dawdles, 1.0 + 0.15 * random_.uniform()},
        dynamic_quarters_(random_.below(5)) {}

  void build(engine::Simulation& simulation) {
    choose_groups();
    const bool all = random_.below(3) == 0;
    const Duration common(1 + static_cast<std::int64_t>(random_.below(60)));
    if (all) simulation.connect_all(common);
    std::vector<std::vector<Peer>> peers(groups_.size());
    for (engine::LpId from = 0; from < groups_.size(); ++from) {
      peers[from] = all ? everyone(from, common) : some(from);
    }
    for (engine::LpId id = 0; id < groups_.size(); ++id) {
      const bool dynamic_lookahead = dynamic_quarters_ > random_.below(4);
      simulation.add(std::make_unique<RandomLp>(peers[id], traits_, dynamic_lookahead),
                     groups_[id]);
    }
    if (!all) connect(simulation, peers);
  }

 private:
  // Ids of groups with gaps, and groups whose LPs are not neighbours.
  void choose_groups() {
    const std::uint64_t groups = 1 + random_.below(14);
    const std::uint64_t lps = groups + random_.below(3 * groups);
    for (std::uint64_t n = 0; n < lps; ++n) {
      groups_.push_back(static_cast<engine::GroupId>(5 * random_.below(groups)));
    }
  }

  std::vector<Peer> everyone(engine::LpId from, Duration lookahead) const {
    std::vector<Peer> peers;
    for (engine::LpId to = 0; to < groups_.size(); ++to) {
      if (to != from) peers.push_back({to, lookahead, groups_[to] != groups_[from]});
    }
    return peers;
  }

  std::vector<Peer> some(engine::LpId from) {
    std::vector<Peer> peers;
    for (engine::LpId to = 0; to < groups_.size(); ++to) {
      const bool outside = groups_[to] != groups_[from];
      if (to == from || random_.below(outside ? 4 : 2) != 0) continue;
      const std::uint64_t span = random_.below(5) == 0 ? 500 : 40;
      const auto lookahead = static_cast<std::int64_t>(random_.below(span)) + (outside ? 1 : 0);
      peers.push_back({to, Duration(lookahead), outside});
    }
    return peers;
  }

  static void connect(engine::Simulation& simulation, const std::vector<std::vector<Peer>>& peers) {
    for (engine::LpId from = 0; from < peers.size(); ++from) {
      for (const Peer& peer : peers[from]) simulation.connect(from, peer.id, peer.lookahead);
    }
  }

  RandomStream random_;
  Traits traits_;
  std::uint64_t dynamic_quarters_;  // how many quarters of the LPs state output times
  std::vector<engine::GroupId> groups_;
};

}  // namespace

Outcome run_random_model(const RandomModelOptions& options, unsigned threads, unsigned partitions) {
  engine::Simulation simulation;
  Builder(options).build(simulation);
  RecordingSink sink;
  Outcome outcome;
  try {
    outcome.result = simulation.run({.threads = threads,
                                     .partitions = partitions,
                                     .seed = options.seed,
                                     .end = Instant(2'000),
                                     .rows = &sink});
  } catch (const std::runtime_error& error) {
    outcome.error = error.what();
    return outcome;
  }
  outcome.rows = std::move(sink.rows);
  return outcome;
}

}  // namespace septet::testing_support
