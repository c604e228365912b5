#include "models/network/collective/protocol.hpp"

#include <algorithm>
#include <cmath>

namespace septet {
namespace {

double as_double(Bytes bytes) { return static_cast<double>(bytes.count()); }

// Bytes beyond those covered, at most `most`.
double beyond(double bytes, Bytes covered, double most) {
  return std::clamp(bytes - as_double(covered), 0.0, most);
}

Duration at_rate(double bytes, ByteRate rate) { return from_seconds(bytes / rate.count()); }

ByteRate share_of(ByteRate rate, double share) { return ByteRate(rate.count() * share); }

const FlagProtocolSpec& flag_protocol(const CollectiveSpec& spec, CollectiveProtocol protocol) {
  return protocol == CollectiveProtocol::kLowLatency ? spec.ll : spec.ll128;
}

// `hops` of `part` bytes a channel each.
CollectiveTime flag_time(const FlagProtocolSpec& spec, std::uint32_t hops, double part) {
  constexpr double kNoLimit = 1e18;
  const Duration late = at_rate(beyond(part, spec.covered, kNoLimit), spec.channel);
  return {spec.start + spec.step * hops, late * hops};
}

// Channels together are no faster than the link, `stepping` included, in which data moves as well.
void cap_by_link(const CollectiveSpec& spec, CollectiveProtocol protocol, double sent,
                 Duration stepping, CollectiveTime& time) {
  const Duration least = at_rate(sent, share_of(spec.link, flag_share(protocol)));
  time.transfer = std::max(time.transfer, least - stepping);
}

// `sent` bytes leave each GPU, `local` are copied inside it, a channel passes on `part` at a time.
CollectiveTime simple_time(const CollectiveSpec& spec, std::uint32_t hops, double sent,
                           double local, double part, std::uint32_t channels) {
  const SimpleProtocolSpec& simple = spec.simple;
  const double first = channels * beyond(part, simple.free_slice, as_double(simple.full_slice));
  const ByteRate link = share_of(spec.link, simple.link_share);
  return {simple.start + simple.step * hops,
          at_rate(sent + first, link) + at_rate(local, simple.local)};
}

bool whole_buffer(CollectiveOp op) {
  return op == CollectiveOp::kBroadcast || op == CollectiveOp::kSendReceive || point_to_point(op);
}

}  // namespace

double flag_share(CollectiveProtocol protocol) {
  if (protocol == CollectiveProtocol::kLowLatency) return 4.0 / 8;
  return protocol == CollectiveProtocol::kLowLatency128 ? 120.0 / 128 : 1.0;
}

std::uint32_t ring_steps(CollectiveOp op, std::uint32_t ranks) {
  if (op == CollectiveOp::kAllReduce) return 2 * (ranks - 1);
  return whole_buffer(op) && op != CollectiveOp::kBroadcast ? 1 : ranks - 1;
}

CollectiveTime ring_time(const CollectiveSpec& spec, CollectiveOp op, CollectiveProtocol protocol,
                         std::uint32_t ranks, Bytes bytes, std::uint32_t channels) {
  const std::uint32_t steps = ring_steps(op, ranks);
  const double size = as_double(bytes);
  const double share = whole_buffer(op) ? size / 2 : size / ranks;  // two slices are under way
  const double part = share / channels;
  if (protocol != CollectiveProtocol::kSimple) {
    const FlagProtocolSpec& flags = flag_protocol(spec, protocol);
    CollectiveTime time = flag_time(flags, steps, part);
    if (op == CollectiveOp::kBroadcast) {  // slices follow each other down the ring
      time.transfer = time.transfer / steps * 2;
    }
    const double sent = whole_buffer(op) ? size : share * steps;
    cap_by_link(spec, protocol, sent, flags.step * steps, time);
    return time;
  }
  if (whole_buffer(op)) return simple_time(spec, steps, size, 0, part, channels);
  return simple_time(spec, steps, share * steps, share, part, channels);
}

CollectiveTime tree_time(const CollectiveSpec& spec, CollectiveProtocol protocol,
                         std::uint32_t ranks, Bytes bytes, std::uint32_t channels) {
  const std::uint32_t steps = 2 * (ranks - 1);
  const double size = as_double(bytes);
  const double part = size / 2 / channels;
  if (protocol == CollectiveProtocol::kSimple) {
    return simple_time(spec, steps, 2 * size, 0, part, channels);
  }
  const FlagProtocolSpec& flags = flag_protocol(spec, protocol);
  CollectiveTime time = flag_time(flags, steps, 0);
  time.transfer = at_rate(4 * beyond(part, flags.covered, size), flags.channel);
  cap_by_link(spec, protocol, 2 * size, flags.step * steps, time);
  return time;
}

CollectiveTime nvls_time(const CollectiveSpec& spec, CollectiveOp op, std::uint32_t ranks,
                         Bytes bytes) {
  const NvlsSpec& nvls = spec.nvls;
  const double size = as_double(bytes);
  const double sent = op == CollectiveOp::kAllReduce ? size * (1 + 1.0 / ranks) : size;
  return {nvls.start, at_rate(sent, share_of(spec.link, nvls.link_share)) +
                          at_rate(std::min(size, as_double(nvls.pipeline)), nvls.pipeline_rate)};
}

CollectiveTime all_to_all_time(const CollectiveSpec& spec, CollectiveProtocol protocol,
                               std::uint32_t ranks, Bytes bytes, std::uint32_t channels) {
  const DirectSpec& direct = spec.direct;
  const double each = as_double(bytes) / ranks;
  const double sent = each * (ranks - 1);
  if (protocol != CollectiveProtocol::kSimple) {
    CollectiveTime time{direct.ll_start + scale(direct.ll_start_per_doubling, std::log2(ranks)),
                        at_rate(each, direct.ll_channel)};
    cap_by_link(spec, protocol, sent, Duration(0), time);
    return time;
  }
  const double first =
      channels * beyond(sent / channels, spec.simple.free_slice, as_double(spec.simple.full_slice));
  return {direct.start, at_rate(sent + first, share_of(spec.link, direct.link_share))};
}

}  // namespace septet
