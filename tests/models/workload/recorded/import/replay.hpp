// A sequential evaluation of an imported Program by the rules that importer.hpp states: one pass
// over the calls of all threads in the order of their times. It knows no limits but the ring of
// pending launches; it is a check of the importer, not a model of a GPU.
#pragma once

#include <cstdint>
#include <vector>

#include "models/workload/recorded/import/importer.hpp"

namespace septet::test {

struct Replayed {
  Duration total{};             // to the end of the last call or command
  std::vector<Instant> starts;  // by Import::rows, with the lead added
  std::vector<Instant> steps;   // when each step's marker was passed; 0 where it has none
};

Replayed replay(const recorded::Import& import, std::uint32_t ring_capacity = 1024);

// Of each row: how far its replayed start, relative to its step's marker, is from the recorded one.
struct StartErrors {
  Duration median{};
  Duration worst{};
};
StartErrors start_errors(const recorded::Import& import, const Replayed& replayed);

}  // namespace septet::test
