// Which records of a CUDA event are done. A wait is for the last record before it; records on
// different streams complete in any order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/program/protocol.hpp"

namespace septet::gpu {

// Records are identified by their generation, counted from 1 modulo 2^16. Every record of the event
// must be reported.
class EventProgress {
 public:
  void record(std::uint16_t generation) {
    if (done(generation)) return;
    ahead_.push_back(generation);
    auto next = ahead_.begin();
    while ((next = std::find(ahead_.begin(), ahead_.end(), following())) != ahead_.end()) {
      complete_ = *next;
      ahead_.erase(next);
    }
  }

  // Generation 0, before any record, is done.
  bool done(std::uint16_t generation) const {
    return program::reached(complete_, generation) ||
           std::find(ahead_.begin(), ahead_.end(), generation) != ahead_.end();
  }

 private:
  std::uint16_t following() const { return static_cast<std::uint16_t>(complete_ + 1); }

  std::uint16_t complete_ = 0;        // this record and all before it are done
  std::vector<std::uint16_t> ahead_;  // done before an earlier one
};

}  // namespace septet::gpu
