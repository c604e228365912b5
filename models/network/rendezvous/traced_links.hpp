// Which links a trace shows, and their names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/network/rendezvous/call_table.hpp"

namespace septet::network {

// Links that carry the same (link_groups.hpp), as one.
struct TracedLink {
  std::string name;            // "gpu0->nvswitch0", or "gpu0->nvswitch0 and 7 like it"
  ByteRate rate{};             // what each can carry
  std::vector<LinkEnds> ends;  // of each
};

struct TracedLinks {
  std::vector<TracedLink> links;    // by code in dictionary "link"
  std::vector<std::int32_t> codes;  // by link of the network: its code; kUntraced: none of its own

  static constexpr std::int32_t kUntraced = -1;
};

// Those that collectives use which have a rank on one of the first `traced_gpus` devices, and sends
// and receives of which one end is there. None
// where the network's links have no names.
TracedLinks traced_links(const program::Program& program, const CollectiveCallTable& calls,
                         const CollectiveModel& network, std::uint32_t traced_gpus);

}  // namespace septet::network
