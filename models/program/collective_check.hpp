// What has to hold of the collectives of a Program before it runs. All throw ConfigError naming
// ranks, communicator and operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "models/program/program.hpp"

namespace septet::program {

// The location of a call, formatted only for an error, since there are millions.
struct CallPlace {
  std::size_t thread = 0;
  std::size_t call = 0;
};

std::string place_text(const CallPlace& place);  // "thread 3, call 17"

// Groups of at least two devices that exist, each once; collectives with a communicator, a size, a
// peer, an algorithm and a protocol that make sense.
void check_collectives(const Program& program);

// That a call of `collective` by `thread` on `device` is that of a rank, and has a partner.
void check_rank(const Program& program, const HostThread& thread, const Collective& collective,
                std::uint32_t device, const CallPlace& place);

// The rank of `device`; kNone: it is none.
std::uint32_t rank_of(const Communicator& communicator, std::uint32_t device);

}  // namespace septet::program
