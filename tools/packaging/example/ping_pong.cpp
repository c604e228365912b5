// Two processes that hit a ball to and fro, as an example of the engine on its own.
#include <cstdio>
#include <memory>

#include "core/engine/simulation.hpp"

namespace {

using septet::Duration;
using septet::engine::Context;
using septet::engine::Event;
using septet::engine::LpId;

constexpr Duration kFlight(500'000);  // in picoseconds: 0.5 us
constexpr int kReturns = 10;

class Player : public septet::engine::LogicalProcess {
 public:
  Player(LpId opponent, bool serves) : opponent_(opponent), serves_(serves) {}

  void start(Context& context) override {
    if (serves_) context.send(opponent_, kFlight, {.a = 0});
  }
  void handle(const Event& event, Context& context) override {
    if (event.a < kReturns) context.send(opponent_, kFlight, {.a = event.a + 1});
  }

 private:
  LpId opponent_;
  bool serves_;
};

}  // namespace

int main() {
  septet::engine::Simulation simulation;
  const LpId first = simulation.add(std::make_unique<Player>(1, true), 0, "first");
  const LpId second = simulation.add(std::make_unique<Player>(0, false), 1, "second");
  simulation.connect(first, second, kFlight);
  simulation.connect(second, first, kFlight);
  const auto result = simulation.run({.threads = 2});
  std::printf("%llu hits\n", static_cast<unsigned long long>(result.events));
}
