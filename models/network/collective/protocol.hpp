// The cost of the library's protocols inside a node, for any algorithm (algorithms/).
//
// LL and LL128 carry flags with their data: a channel passes c bytes on in one step of a ring in
// step + max(0, c - covered) / channel rate, and data never moves faster than the flags let a link.
// Simple sends whole slices: the first one of each channel, clamp(c - free, 0, full), is waited
// for. `startup` has what does not depend on bytes, `transfer` the rest.
//
// Ignored: data types (sums of one-byte integers take up to a tenth longer), placement in L2 or
// DRAM (times between 4 and 32 MB are off by up to a sixth), contention. Validated against group
// nccl on two and eight H200s, of NVLS all-reduce alone; other GPUs scale by their data sheets.
// Sources: Z. Hu et al., Demystifying NCCL (arXiv 2507.04786) for protocols and steps.
#pragma once

#include <array>

#include "models/network/collective/collective.hpp"
#include "models/network/collective/collective_model.hpp"
#include "models/network/collective/collective_spec.hpp"

namespace septet::network {

// Messages between ranks, which libraries send directly, whatever their size.
constexpr bool goes_direct(program::CollectiveOp op) {
  return op == program::CollectiveOp::kAllToAll || op == program::CollectiveOp::kSendReceive ||
         point_to_point(op);
}

struct CollectiveTime {
  Duration startup{};
  Duration transfer{};
};

// Share of a link that flags leave to data: LL 4 of 8 bytes, LL128 120 of 128, the others all.
double flag_share(program::CollectiveProtocol protocol);

// What CollectiveModel::link_share() is for a library's plans. LL and LL128: what flags leave,
// since their channels are slower than links. Else what the plan's busiest link gets alone: links
// bound it, with whatever slices, copies and sums cost them, and two such plans have half of that
// each.
double library_link_share(const CollectiveModel& network, const CollectivePlan& plan);

// Whether all its GPUs are in one node of the network.
bool in_one_node(const CollectiveModel& network, const CollectiveRequest& request);

double as_double(Bytes bytes);
Duration at_rate(double bytes, ByteRate rate);
ByteRate part_of(ByteRate rate, double share);
// Bytes beyond those covered, at most `most`.
double beyond(double bytes, Bytes covered, double most);

const FlagProtocolSpec& flag_protocol(const CollectiveSpec& spec,
                                      program::CollectiveProtocol protocol);
// By LL or LL128: `steps` of `part` bytes a channel each.
CollectiveTime flag_time(const CollectiveSpec& spec, program::CollectiveProtocol protocol,
                         std::uint32_t steps, double part);
// Channels together are no faster than the link lets their `sent` bytes, the steps included, in
// which data moves as well.
void cap_by_link(const CollectiveSpec& spec, program::CollectiveProtocol protocol, double sent,
                 std::uint32_t steps, CollectiveTime& time);

// By Simple: what the first slices of all channels add to the bytes sent, where each passes on
// `part` at a time.
double first_slices(const SimpleProtocolSpec& simple, double part, std::uint32_t channels);
// `sent` bytes leave each GPU, `local` are copied inside it.
CollectiveTime simple_time(const CollectiveSpec& spec, std::uint32_t steps, double sent,
                           double local, double part, std::uint32_t channels);

// The library's own numbers by protocol: LL, LL128, Simple.
using PerProtocol = std::array<double, 3>;
template <class Value>
const Value& per_protocol(const std::array<Value, 3>& values,
                          program::CollectiveProtocol protocol) {
  return values.at(static_cast<std::size_t>(protocol) - 1);  // after kAuto
}
// What its tuner makes of a latency and a rate in bytes per second.
double tuner_estimate_us(double latency_us, Bytes bytes, double rate);
// Number of channels that it opens: as many as threads with this many bytes each fill (`ll_bytes`
// with LL).
std::uint32_t filled_channels(const CollectiveSpec& spec, program::CollectiveProtocol protocol,
                              Bytes bytes, std::int64_t ll_bytes);

}  // namespace septet::network
