#include "models/network/collective/protocol.hpp"

#include <algorithm>

namespace septet::network {

double flag_share(program::CollectiveProtocol protocol) {
  if (protocol == program::CollectiveProtocol::kLowLatency) return 4.0 / 8;
  return protocol == program::CollectiveProtocol::kLowLatency128 ? 120.0 / 128 : 1.0;
}

double library_link_share(const CollectiveModel& network, const CollectivePlan& plan) {
  const double left_by_flags = flag_share(plan.protocol);
  if (left_by_flags < 1 || plan.transfer <= Duration(0)) return left_by_flags;
  double most = 0;
  for (const LinkLoad& load : plan.loads) {
    const double moved = static_cast<double>(load.bytes.count()) / to_seconds(plan.transfer);
    most = std::max(most, moved / network.link_rate(load.link).count());
  }
  return most > 0 ? std::min(most, 1.0) : 1.0;
}

bool in_one_node(const CollectiveModel& network, const CollectiveRequest& request) {
  return std::ranges::all_of(request.gpus, [&](std::uint32_t gpu) {
    return network.node_of(gpu) == network.node_of(request.gpus.front());
  });
}

double as_double(Bytes bytes) { return static_cast<double>(bytes.count()); }

Duration at_rate(double bytes, ByteRate rate) { return from_seconds(bytes / rate.count()); }

ByteRate part_of(ByteRate rate, double share) { return ByteRate(rate.count() * share); }

double beyond(double bytes, Bytes covered, double most) {
  return std::clamp(bytes - as_double(covered), 0.0, most);
}

const FlagProtocolSpec& flag_protocol(const CollectiveSpec& spec,
                                      program::CollectiveProtocol protocol) {
  return protocol == program::CollectiveProtocol::kLowLatency ? spec.ll : spec.ll128;
}

CollectiveTime flag_time(const CollectiveSpec& spec, program::CollectiveProtocol protocol,
                         std::uint32_t steps, double part) {
  constexpr double kNoLimit = 1e18;
  const FlagProtocolSpec& flags = flag_protocol(spec, protocol);
  const Duration late = at_rate(beyond(part, flags.covered, kNoLimit), flags.channel);
  return {flags.start + flags.step * steps, late * steps};
}

void cap_by_link(const CollectiveSpec& spec, program::CollectiveProtocol protocol, double sent,
                 std::uint32_t steps, CollectiveTime& time) {
  const Duration least = at_rate(sent, part_of(spec.link, flag_share(protocol)));
  time.transfer = std::max(time.transfer, least - flag_protocol(spec, protocol).step * steps);
}

double first_slices(const SimpleProtocolSpec& simple, double part, std::uint32_t channels) {
  return channels * beyond(part, simple.free_slice, as_double(simple.full_slice));
}

CollectiveTime simple_time(const CollectiveSpec& spec, std::uint32_t steps, double sent,
                           double local, double part, std::uint32_t channels) {
  const SimpleProtocolSpec& simple = spec.simple;
  const double first = first_slices(simple, part, channels);
  const ByteRate link = part_of(spec.link, simple.link_share);
  return {simple.start + simple.step * steps,
          at_rate(sent + first, link) + at_rate(local, simple.local)};
}

double tuner_estimate_us(double latency_us, Bytes bytes, double rate) {
  return latency_us + static_cast<double>(bytes.count()) / rate * 1e6;
}

std::uint32_t filled_channels(const CollectiveSpec& spec, program::CollectiveProtocol protocol,
                              Bytes bytes, std::int64_t ll_bytes) {
  std::int64_t filled = bytes.count();
  if (protocol == program::CollectiveProtocol::kSimple) {
    filled /= 64 * 512;
  } else if (protocol == program::CollectiveProtocol::kLowLatency128) {
    filled /= 8 * 640;
  } else {
    filled /= ll_bytes * 512;
  }
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(filled, 1, spec.channels));
}

}  // namespace septet::network
