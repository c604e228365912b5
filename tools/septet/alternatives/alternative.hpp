// A run as one of several that are compared.
#pragma once

#include <string>
#include <vector>

#include "scenarios/analysis/attribution.hpp"
#include "scenarios/replay/replay.hpp"

namespace septet {

struct Alternative {
  std::string name;  // "(as recorded)", or the what-if
  Duration span{};
  double speedup = 1;  // of the first one's time
  Attribution attribution;
  std::string limit;             // what limits it: see limit_text
  double tokens_per_second = 0;  // of training; 0: none, or not a whole step
};

Alternative alternative_of(const std::string& name, const RunSummary& summary, double speedup);

// The replay as recorded, then its what-ifs.
std::vector<Alternative> alternatives_of(const ReplayReport& report);

// What a run spends most of its critical path on: "kernels 81 % (gemm 22 %)", shares of its time.
std::string limit_text(const RunSummary& summary);

}  // namespace septet
