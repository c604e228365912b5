// What a collective takes inside one node whose GPUs all reach each other at full rate.
//
// Ring, n ranks: p = 2 (n - 1) steps of an all-reduce, n - 1 of the others. With c = bytes / n /
// channels, the part that a channel passes on in one step:
//   LL, LL128  start + p (step + max(0, c - covered) / channel rate)
//   Simple     start + p step + (p / n) bytes (1 / link + 1 / (p local)) + first slice / link
// `link` is the share of the link's rate that is reached; the local copies and sums of a GPU (its
// own part) come on top; the first slice, clamp(c - free, 0, full) of each channel, is waited for.
// A broadcast passes all bytes on in slices, without local copies; a send is its one hop.
// Tree: of one node, a chain up and down again, 2 (n - 1) steps; each GPU passes bytes on twice.
// NVLS: start + sent / link + what the pipeline holds. A GPU fetches the sum of its share, for
// which all send theirs, and stores the result into all: an all-reduce sends bytes (1 + 1 / n). A
// reduce-scatter is the first half, in which each GPU sends all bytes, an all-gather the second, in
// which each receives all.
// Direct (all-to-all): small messages go by LL through one channel each.
// LL and LL128 never move data faster than their flags let a link: see flag_share().
//
// `startup` has what does not depend on bytes, `transfer` the rest.
//
// Ignored: data types (sums of one-byte integers take up to a tenth longer), placement in L2 or
// DRAM (times between 4 and 32 MB are off by up to a sixth), contention. Validated against group
// nccl on two and eight H200s, of NVLS all-reduce alone; other GPUs scale by their data sheets.
// Sources: Z. Hu et al., Demystifying NCCL (arXiv 2507.04786) for protocols and steps.
#pragma once

#include "models/network/collective/collective.hpp"
#include "models/network/collective/collective_spec.hpp"

namespace septet {

struct CollectiveTime {
  Duration startup{};
  Duration transfer{};
};

// Share of a link that flags leave to data: LL 4 of 8 bytes, LL128 120 of 128, the others all.
double flag_share(CollectiveProtocol protocol);

// Steps of a ring.
std::uint32_t ring_steps(CollectiveOp op, std::uint32_t ranks);

CollectiveTime ring_time(const CollectiveSpec& spec, CollectiveOp op, CollectiveProtocol protocol,
                         std::uint32_t ranks, Bytes bytes, std::uint32_t channels);
CollectiveTime tree_time(const CollectiveSpec& spec, CollectiveProtocol protocol,
                         std::uint32_t ranks, Bytes bytes, std::uint32_t channels);
// All-reduce, all-gather or reduce-scatter.
CollectiveTime nvls_time(const CollectiveSpec& spec, CollectiveOp op, std::uint32_t ranks,
                         Bytes bytes);
CollectiveTime all_to_all_time(const CollectiveSpec& spec, CollectiveProtocol protocol,
                               std::uint32_t ranks, Bytes bytes, std::uint32_t channels);

}  // namespace septet
