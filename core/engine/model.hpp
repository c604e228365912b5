// The simulated model: LPs and their channels. Shared by all partitions; while a run is under way
// only the records of LPs change, each by the thread that runs its partition.
#pragma once

#include "core/engine/channels.hpp"
#include "core/engine/lp_table.hpp"

namespace septet::engine {

struct Model {
  LpTable lps;
  Channels channels;

  bool same_group(LpId x, LpId y) const { return lps.group(x) == lps.group(y); }
};

}  // namespace septet::engine
