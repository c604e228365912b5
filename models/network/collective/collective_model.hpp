// The interface of models for the time of a collective on an idle network and its link loads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/network/collective/collective.hpp"

namespace septet::network {

// The endpoints of a directed link, by name.
struct LinkEnds {
  std::string from;
  std::string to;
};

class CollectiveModel {
 public:
  virtual ~CollectiveModel() = default;
  // Throws ConfigError naming operation and ranks if the group or the model does not support the
  // request.
  virtual CollectivePlan plan(const CollectiveRequest& request) const = 0;
  // The links that loads of plans name: 0 .. link_count() - 1, and what each carries.
  virtual std::uint32_t link_count() const = 0;
  virtual ByteRate link_rate(std::uint32_t link) const = 0;
  // Share of a link's rate that the data of a plan can have, with all the link to itself. Transfers
  // that share a link share its time, not its bytes.
  virtual double link_share(const CollectivePlan&) const { return 1; }
  // Nothing if links do not represent cables, as in the uniform network.
  virtual std::optional<LinkEnds> link_ends(std::uint32_t) const { return std::nullopt; }
  virtual std::uint32_t gpu_count() const = 0;
  // GPUs of one node are close to one another: where a parallel run is cut last.
  virtual std::uint32_t node_of(std::uint32_t gpu) const = 0;
};

}  // namespace septet::network
