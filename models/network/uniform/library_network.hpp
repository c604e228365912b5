// The uniform network, with the communication library's own model inside a node.
//
// Where the numbers of the GPUs' links are known (CollectiveSpec), a group inside a node does what
// the library would: algorithm, protocol, channels and time are those of plan_in_node(). What its
// transfer loads are the links of its GPUs, with the bytes of the plain model, but never more than
// a link carries in the time. A node's switch adds up where the links can ask it to (NVLS). Groups
// over several nodes are those of the plain network, with the links of their slowest GPUs. The GPUs
// of a node are alike; nodes may differ.
#pragma once

#include <vector>

#include "core/base/by_range.hpp"
#include "models/network/collective/collective_spec.hpp"
#include "models/network/collective/protocol.hpp"
#include "models/network/uniform/uniform_network.hpp"

namespace septet::network {

class LibraryNetwork : public CollectiveModel {
 public:
  // `gpus` in all; `library` by GPU. The rate of its links goes before that in `spec`; where it is
  // zero the library is not known. Throws as UniformNetwork does.
  LibraryNetwork(const NetworkSpec& spec, const ByRange<CollectiveSpec>& library,
                 std::uint32_t gpus);

  CollectivePlan plan(const CollectiveRequest& request) const override;
  std::uint32_t link_count() const override { return plain_.front().link_count(); }
  ByteRate link_rate(std::uint32_t link) const override;
  double link_share(const CollectivePlan& plan) const override {
    return library_link_share(*this, plan);
  }
  std::uint32_t gpu_count() const override { return plain_.front().gpu_count(); }
  std::uint32_t node_of(std::uint32_t gpu) const override { return gpu / gpus_per_node_; }

 private:
  std::size_t slowest_kind(const CollectiveRequest& request) const;

  const ByRange<CollectiveSpec> library_;
  const std::uint32_t gpus_per_node_;
  std::vector<UniformNetwork> plain_;  // by kind of GPU
};

}  // namespace septet::network
