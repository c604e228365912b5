// Trees along which collectives reduce and broadcast, chunk after chunk.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/quantity.hpp"

namespace septet::network {

constexpr std::uint32_t kNoParent = UINT32_MAX;

// A place in a tree. One endpoint may have several, even in one tree.
struct TreeNode {
  std::uint32_t endpoint = 0;
  std::uint32_t parent = kNoParent;  // node
  std::uint32_t tree = 0;
  bool contributes = true;  // adds data of its own
  bool receives = true;     // wants the result
};

struct Forest {
  std::vector<TreeNode> nodes;
  std::vector<Bytes> bytes;  // by tree: what goes along each of its edges, each way
  // How many chunks of its own a node may have on their way up before a result has come down, where
  // both happen: the buffers of a connection.
  std::uint32_t window = 8;  // NCCL_STEPS
  bool reduces = true;       // from the leaves to the root
  bool broadcasts = true;    // from the root to the leaves

  std::uint32_t add(const TreeNode& node) {
    nodes.push_back(node);
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
};

// Only the roots have data, and only the others want it.
void make_broadcast(Forest& forest);

}  // namespace septet::network
