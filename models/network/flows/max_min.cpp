#include "models/network/flows/max_min.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace septet {
namespace {

class Filling {
 public:
  explicit Filling(const SharingProblem& problem)
      : problem_(problem),
        rates_(problem.flows.size(), kOpen),
        left_(problem.capacities),
        open_(problem.capacities.size(), 0) {
    index_flows();
    for (std::uint32_t link = 0; link < left_.size(); ++link) {
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
      } else if (settle_caps_below(now)) {
        shares_.emplace(share(link), link);
      } else {
        for (std::uint32_t i = first_[link]; i < first_[link + 1]; ++i) settle(flows_[i], now);
      }
    }
    for (std::uint32_t flow = 0; flow < rates_.size(); ++flow)
      settle(flow, problem_.flows[flow].cap);
    return std::move(rates_);
  }

 private:
  static constexpr double kOpen = -1;

  // Lists the flows of each link.
  void index_flows() {
    for (const SharingProblem::Flow& flow : problem_.flows) {
      for (const std::uint32_t link : problem_.links(flow)) ++open_[link];
    }
    first_.assign(open_.size() + 1, 0);
    std::partial_sum(open_.begin(), open_.end(), first_.begin() + 1);
    flows_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t flow = 0; flow < problem_.flows.size(); ++flow) {
      for (const std::uint32_t link : problem_.links(problem_.flows[flow])) {
        flows_[next[link]++] = flow;
      }
    }
  }

  double share(std::uint32_t link) const { return left_[link] / open_[link]; }

  void settle(std::uint32_t flow, double rate) {
    if (rates_[flow] != kOpen) return;
    rates_[flow] = rate;
    for (const std::uint32_t link : problem_.links(problem_.flows[flow])) {
      left_[link] = std::max(0.0, left_[link] - rate);
      --open_[link];
    }
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
  std::vector<double> left_;          // by link: rate not yet given away
  std::vector<std::uint32_t> open_;   // by link: flows not yet settled
  std::vector<std::uint32_t> first_;  // by link, into flows_
  std::vector<std::uint32_t> flows_;
  std::vector<std::uint32_t> by_cap_;
  std::size_t next_cap_ = 0;
  std::priority_queue<Share, std::vector<Share>, std::greater<>> shares_;
};

}  // namespace

std::vector<double> max_min_rates(const SharingProblem& problem) { return Filling(problem).run(); }

}  // namespace septet
