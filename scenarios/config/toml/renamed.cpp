#include "scenarios/config/toml/renamed.hpp"

namespace septet {

const std::vector<RenamedName>& renamed_names() {
  // Sorted by the place where they are written. One old name may have several rows: that counts
  // whose new name is known where the old one was written.
  static const std::vector<RenamedName> names = {
      // Scenario files.
      {"card", "nic"},  // of [interconnect]
      {"card_latency", "nic_latency"},
      // Steps, nodes and profiles.
      {"fill", "memset"},
      {"fill_cost", "memset_cost"},
      {"fill_in_l2", "memset_in_l2"},
      {"fill_latency", "memset_latency"},
      {"fill_launch_latency", "memset_launch_latency"},
      {"inline_fill_cost", "inline_memset_cost"},
      {"inline_fill_max", "inline_memset_max"},
      // Options.
      {"--hardware", "--gpu"},  // of `septet replay`
  };
  return names;
}

}  // namespace septet
