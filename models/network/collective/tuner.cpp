#include "models/network/collective/tuner.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "models/network/collective/protocol.hpp"
#include "models/network/collective/terms.hpp"

namespace septet {
namespace {

// By protocol: LL, LL128, Simple.
using PerProtocol = std::array<double, 3>;
constexpr PerProtocol kRingBase = {6.6, 14.0, 8.4};  // microseconds, as all latencies here
constexpr PerProtocol kTreeBase = {6.8, 14.0, 8.4};
constexpr PerProtocol kRingHop = {0.6, 1.9, 3.4};  // over NVLink
constexpr PerProtocol kTreeHop = {0.6, 1.25, 4.0};
constexpr double kNvls = 25;

// Share of its rate that a tree reaches, by powers of two from 64 B.
constexpr std::array<std::array<double, 23>, 3> kTreeShare = {
    {{1.0, 1.0, 1.0, 1.0, .9, .8, .7, .7,  .7,  .7,  .6, .5,
      .4,  .4,  .5,  .6,  .7, .8, .9, 1.0, 1.0, 1.0, 1.0},
     {1.0, 1.0, 1.0, 1.0, 1.0, .9, .8, .8, .8, .7,  .6, .6,
      .6,  .6,  .6,  .6,  .8,  .9, .9, .9, .9, 1.0, 1.0},
     {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9}}};

std::size_t index_of(CollectiveProtocol protocol) {
  return static_cast<std::size_t>(protocol) - 1;  // after kAuto
}

double ring_rate(const TunerSpec& tuner, CollectiveProtocol protocol) {
  const double all = tuner.ring.count();
  switch (protocol) {
    case CollectiveProtocol::kLowLatency:
      return std::min(tuner.ll.count(), all / 2);
    case CollectiveProtocol::kLowLatency128:
      return std::min(all * 0.92, tuner.ring_channels * tuner.ll128_channel.count());
    default:
      return all;
  }
}

double tree_rate(const TunerSpec& tuner, CollectiveProtocol protocol, Bytes bytes) {
  double rate =
      std::min(tuner.ring.count() * 0.92, tuner.ring_channels * tuner.tree_channel.count());
  if (protocol == CollectiveProtocol::kLowLatency) rate = std::min(rate / 3.8, tuner.ll.count());
  if (protocol == CollectiveProtocol::kLowLatency128) {
    rate = std::min(rate * 7 / 9, tuner.ring_channels * tuner.tree_ll128_channel.count());
  }
  const auto units = static_cast<std::uint64_t>(bytes.count()) / 64;
  const auto power = units == 0 ? kTreeShare[0].size() : std::bit_width(units) - 1U;
  const auto& share = kTreeShare.at(index_of(protocol));
  return rate * (power < share.size() ? share.at(power) : 1.0);
}

double nvls_rate(const TunerSpec& tuner, CollectiveOp op, std::uint32_t ranks) {
  const double others = (ranks - 1.0) / ranks;
  const double rate = tuner.ring.count() * tuner.nvls_efficiency * others;
  return op == CollectiveOp::kAllReduce ? rate * 2 * ranks / ring_steps(op, ranks) : rate * others;
}

double estimate(double latency_us, Bytes bytes, double rate) {
  return latency_us + static_cast<double>(bytes.count()) / rate * 1e6;
}

// Bytes that a thread has at least before the library takes more channels, and threads of one.
struct ThreadWork {
  std::int64_t bytes;
  std::int64_t threads;
};

ThreadWork thread_work(CollectiveAlgorithm algorithm, CollectiveProtocol protocol,
                       std::uint32_t ranks) {
  if (protocol == CollectiveProtocol::kSimple) return {64, 512};
  if (protocol == CollectiveProtocol::kLowLatency128) return {8, 640};
  return {algorithm == CollectiveAlgorithm::kRing ? 8 * std::int64_t{ranks} : 8, 512};
}

std::uint32_t channels_for(const CollectiveSpec& spec, const CollectiveChoice& choice,
                           std::uint32_t ranks, Bytes bytes) {
  if (choice.algorithm == CollectiveAlgorithm::kNvls) return spec.nvls_channels;
  const ThreadWork work = thread_work(choice.algorithm, choice.protocol, ranks);
  const std::int64_t filled = bytes.count() / (work.bytes * work.threads);
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(filled, 1, spec.channels));
}

bool allows(CollectiveAlgorithm wanted, CollectiveAlgorithm algorithm) {
  return wanted == CollectiveAlgorithm::kAuto || wanted == algorithm;
}

bool allows(CollectiveProtocol wanted, CollectiveProtocol protocol) {
  return wanted == CollectiveProtocol::kAuto || wanted == protocol;
}

bool offered(const CollectiveSpec& spec, bool switch_reduces, const CollectiveRequest& request,
             CollectiveAlgorithm algorithm, CollectiveProtocol protocol) {
  if (algorithm == CollectiveAlgorithm::kTree) return request.op == CollectiveOp::kAllReduce;
  if (algorithm != CollectiveAlgorithm::kNvls) return true;
  return switch_reduces && spec.tuner.nvls_efficiency > 0 && request.gpus.size() > 2 &&
         protocol == CollectiveProtocol::kSimple && request.op != CollectiveOp::kBroadcast;
}

// What is known inside a node, for messages.
std::string known_ways(CollectiveOp op) {
  if (goes_direct(op)) return "direct, by ll or simple";
  std::string text = "ring";
  if (runs_as(op, CollectiveAlgorithm::kTree) && op != CollectiveOp::kBroadcast) text += ", tree";
  if (!runs_as(op, CollectiveAlgorithm::kNvls)) return text;
  return text + " or, by simple and with more than two GPUs at a switch that reduces, nvls";
}

[[noreturn]] void refuse(const CollectiveRequest& request) {
  throw ConfigError::value({}, gpus_text(request) + " inside a node",
                           "algorithm " + std::string(text_of(request.algorithm)) +
                               " with protocol " + std::string(text_of(request.protocol)),
                           known_ways(request.op));
}

CollectiveChoice direct(const CollectiveSpec& spec, const CollectiveRequest& request) {
  const bool known = allows(request.algorithm, CollectiveAlgorithm::kDirect) ||
                     (request.op == CollectiveOp::kSendReceive &&
                      allows(request.algorithm, CollectiveAlgorithm::kRing));
  if (!known || !goes_by(request.op, request.algorithm, request.protocol)) refuse(request);
  const auto ranks = static_cast<std::int64_t>(request.gpus.size());
  const bool all = request.op == CollectiveOp::kAllToAll;
  const Bytes each = all ? request.bytes / ranks : request.bytes;
  const bool small = each <= spec.direct.ll_max;
  CollectiveChoice choice{CollectiveAlgorithm::kDirect, request.protocol, spec.channels};
  if (choice.protocol == CollectiveProtocol::kAuto) {
    choice.protocol = small ? CollectiveProtocol::kLowLatency : CollectiveProtocol::kSimple;
  }
  return choice;
}

CollectiveChoice least(const CollectiveSpec& spec, bool switch_reduces,
                       const CollectiveRequest& request) {
  using Algorithm = CollectiveAlgorithm;
  using Protocol = CollectiveProtocol;
  const auto ranks = static_cast<std::uint32_t>(request.gpus.size());
  std::optional<double> best;
  CollectiveChoice choice;
  for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kTree, Algorithm::kNvls}) {
    if (!allows(request.algorithm, algorithm)) continue;
    for (const Protocol protocol :
         {Protocol::kLowLatency, Protocol::kLowLatency128, Protocol::kSimple}) {
      if (!allows(request.protocol, protocol)) continue;
      if (!offered(spec, switch_reduces, request, algorithm, protocol)) continue;
      const double us =
          tuner_estimate_us(spec, request.op, algorithm, protocol, ranks, request.bytes);
      if (best && us >= *best) continue;
      best = us;
      choice = {algorithm, protocol, 1};
    }
  }
  if (!best) refuse(request);
  choice.channels = channels_for(spec, choice, ranks, request.bytes);
  return choice;
}

}  // namespace

bool goes_direct(CollectiveOp op) {
  return op == CollectiveOp::kAllToAll || op == CollectiveOp::kSendReceive || point_to_point(op);
}

double tuner_estimate_us(const CollectiveSpec& spec, CollectiveOp op, CollectiveAlgorithm algorithm,
                         CollectiveProtocol protocol, std::uint32_t ranks, Bytes bytes) {
  const TunerSpec& tuner = spec.tuner;
  const std::size_t p = index_of(protocol);
  if (algorithm == CollectiveAlgorithm::kNvls) {
    return estimate(kNvls, bytes, nvls_rate(tuner, op, ranks));
  }
  if (algorithm == CollectiveAlgorithm::kTree) {
    return estimate(kTreeBase.at(p) + 2.0 * (ranks - 1) * kTreeHop.at(p), bytes,
                    tree_rate(tuner, protocol, bytes) / 2);
  }
  if (op == CollectiveOp::kBroadcast) {  // one hop: all channels take the same way
    return estimate(kRingBase.at(p) + kRingHop.at(p), bytes, ring_rate(tuner, protocol));
  }
  const std::uint32_t steps = ring_steps(op, ranks);
  return estimate(kRingBase.at(p) + steps * kRingHop.at(p), bytes,
                  ring_rate(tuner, protocol) * ranks / steps);
}

CollectiveChoice tuned(const CollectiveSpec& spec, bool switch_reduces,
                       const CollectiveRequest& request) {
  CollectiveChoice choice =
      goes_direct(request.op) ? direct(spec, request) : least(spec, switch_reduces, request);
  if (request.channels > 0) choice.channels = request.channels;
  return choice;
}

}  // namespace septet
