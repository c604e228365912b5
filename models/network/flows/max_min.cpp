#include "models/network/flows/max_min.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace septet::network {
namespace {

constexpr double kSameLevel = 1 - 1e-9;

class Filling {
 public:
  explicit Filling(const SharingProblem& problem)
      : problem_(problem),
        rates_(problem.flows.size(), kOpen),
        open_(problem.capacities.size(), 0) {
    index_flows();
    for (std::uint32_t link = 0; link < open_.size(); ++link) {
      if (open_[link] > 0) shares_.emplace(share(link), link);
    }
    by_cap_.resize(rates_.size());
    std::iota(by_cap_.begin(), by_cap_.end(), 0U);
    std::ranges::stable_sort(by_cap_, {}, [&](std::uint32_t i) { return problem.flows[i].cap; });
  }

  std::vector<double> run() {
    while (!shares_.empty()) {
      const auto [known, link] = shares_.top();
      shares_.pop();
      if (open_[link] == 0) continue;
      const double now = share(link);
      if (now > known) {  // others on it were settled meanwhile: shares only grow
        shares_.emplace(now, link);
        continue;
      }
      if (now * kSameLevel > level_) level_ = now;
      if (settle_caps_below(level_)) {
        shares_.emplace(share(link), link);
      } else {
        for (const OnLink& one : on(link)) settle(one.flow, level_);
      }
    }
    for (std::uint32_t flow = 0; flow < rates_.size(); ++flow) {
      settle(flow, problem_.flows[flow].cap);
    }
    return std::move(rates_);
  }

 private:
  static constexpr double kOpen = -1;

  struct OnLink {
    std::uint32_t flow = 0;
    double weight = 1;
  };

  // Lists the flows of each link.
  void index_flows() {
    for (const SharingProblem::Use& use : problem_.uses) ++open_[use.link];
    first_.assign(open_.size() + 1, 0);
    std::partial_sum(open_.begin(), open_.end(), first_.begin() + 1);
    on_links_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t flow = 0; flow < problem_.flows.size(); ++flow) {
      for (const auto& [link, weight] : problem_.uses_of(problem_.flows[flow])) {
        on_links_[next[link]++] = {flow, weight};
      }
    }
  }

  std::span<const OnLink> on(std::uint32_t link) const {
    return {on_links_.data() + first_[link], on_links_.data() + first_[link + 1]};
  }

  // The level at which the link is full. Summed up afresh, so that no rounding piles up.
  double share(std::uint32_t link) const {
    double left = problem_.capacities[link];
    double rising = 0;
    for (const auto& [flow, weight] : on(link)) {
      if (rates_[flow] == kOpen) {
        rising += weight;
      } else {
        left -= weight * rates_[flow];
      }
    }
    return rising > 0 ? std::max(0.0, left) / rising : 0;
  }

  void settle(std::uint32_t flow, double rate) {
    if (rates_[flow] != kOpen) return;
    rates_[flow] = rate;
    for (const auto& [link, weight] : problem_.uses_of(problem_.flows[flow])) --open_[link];
  }

  // Gives their cap to the flows whose cap is at most `level`. False where there is none.
  bool settle_caps_below(double level) {
    bool any = false;
    for (; next_cap_ < by_cap_.size(); ++next_cap_) {
      const std::uint32_t flow = by_cap_[next_cap_];
      if (problem_.flows[flow].cap > level) break;
      any = any || rates_[flow] == kOpen;
      settle(flow, problem_.flows[flow].cap);
    }
    return any;
  }

  using Share = std::pair<double, std::uint32_t>;  // of a link; ties: the smaller number first

  const SharingProblem& problem_;
  std::vector<double> rates_;
  std::vector<std::uint32_t> open_;   // by link: flows not yet settled
  std::vector<std::uint32_t> first_;  // by link, into on_links_
  std::vector<OnLink> on_links_;
  std::vector<std::uint32_t> by_cap_;
  std::size_t next_cap_ = 0;
  double level_ = 0;  // to which rates have risen
  std::priority_queue<Share, std::vector<Share>, std::greater<>> shares_;
};

}  // namespace

std::vector<double> max_min_rates(const SharingProblem& problem) { return Filling(problem).run(); }

}  // namespace septet::network
