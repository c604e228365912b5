// A spec of round numbers, and the tuner of a Hopper GPU as NCCL's tables have it.
#pragma once

#include "models/network/collective/collective_spec.hpp"

namespace septet::test {

inline network::CollectiveSpec round_spec() {
  network::CollectiveSpec spec;
  spec.link = 100_GBps;
  spec.channels = 24;
  spec.nvls_channels = 16;
  spec.ll = {3_us, 1_us, 1000_B, 1_GBps};
  spec.ll128 = {6_us, 2_us, 1000_B, 2_GBps};
  spec.simple = {10_us, 3_us, 0.5, 200_GBps, 1000_B, 2000_B};
  spec.direct = {4_us, 1_us, 2_GBps, 16_KiB, 12_us, 0.25};
  spec.nvls = {20_us, 0.5, 1'000'000_B, 500_GBps};
  spec.tuner = {360_GBps, 12, 141_GBps, ByteRate(36.7e9), ByteRate(38.7e9), ByteRate(36.7e9), 0.85};
  return spec;
}

}  // namespace septet::test
