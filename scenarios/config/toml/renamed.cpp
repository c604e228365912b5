#include "scenarios/config/toml/renamed.hpp"

namespace septet {

const std::vector<RenamedName>& renamed_names() {
  // Sorted by the place where they are written. One old name may have several rows: that counts
  // whose new name is known where the old one was written.
  static const std::vector<RenamedName> names = {
      // Scenario files.
      {"card", "nic"},  // of [interconnect]
      {"card_latency", "nic_latency"},
      // Options.
      {"--hardware", "--gpu"},  // of `septet replay`
  };
  return names;
}

}  // namespace septet
