// The parameters of a GPU's links and of the communication library on it. Immutable; values and
// sources are in `data/`.
#pragma once

#include <cstdint>

#include "core/base/quantity.hpp"

namespace septet::network {

// LL and LL128: flags travel with the data, so a step needs no synchronisation, but a channel
// (one block of the kernel) carries less.
struct FlagProtocolSpec {
  Duration start{};    // kernel's start and end
  Duration step{};     // one hop of a ring: store, link, poll, reduce
  Bytes covered{};     // of a step and channel, that the hop's latency covers
  ByteRate channel{};  // the rest
};

// Simple: whole slices, then a flag.
struct SimpleProtocolSpec {
  Duration start{};
  Duration step{};
  double link_share = 1;  // of the link's rate that rings reach
  ByteRate local{};       // local copies and reductions in a GPU, which slow its sends
  Bytes free_slice{};     // of a step and channel, whose first slice costs nothing extra
  Bytes full_slice{};     // the largest first slice beyond, for which the next GPU waits
};

// Every rank with every other one (all-to-all).
struct DirectSpec {
  Duration ll_start{};
  Duration ll_start_per_doubling{};  // of the ranks
  ByteRate ll_channel{};             // rate of the single channel of a small message
  Bytes ll_max{};                    // messages up to here use LL
  Duration start{};
  double link_share = 1;
};

// Reduction in the NVSwitch: a GPU sends and receives its bytes once, and 1/n of them once more.
struct NvlsSpec {
  Duration start{};
  double link_share = 1;
  Bytes pipeline{};  // bytes in flight in the pipeline of copies in, reduction and copies out,
  ByteRate pipeline_rate{};  // which is filled and drained at this rate
};

// What the library's tuner assumes: rates from NCCL's tables.
struct TunerSpec {
  ByteRate ring{};                  // all rings together
  std::uint32_t ring_channels = 1;  // of its search, before they are doubled
  ByteRate ll{};                    // the most of LL
  ByteRate ll128_channel{};         // the most of LL128, a channel
  ByteRate tree_channel{};
  ByteRate tree_ll128_channel{};
  double nvls_efficiency = 0;  // 0: the GPU has no reduction in the switch
};

struct CollectiveSpec {
  ByteRate link{};                  // all links of one GPU, one direction
  std::uint32_t channels = 1;       // most blocks per kernel
  std::uint32_t nvls_channels = 1;  // of one that reduces in the switch
  Duration node_extra{};            // as node of a graph it starts later than other kernels
  ByteRate peer_copy{};             // one GPU's memory to another's, by the copy engine
  FlagProtocolSpec ll;
  FlagProtocolSpec ll128;
  SimpleProtocolSpec simple;
  DirectSpec direct;
  NvlsSpec nvls;
  TunerSpec tuner;
};

}  // namespace septet::network
