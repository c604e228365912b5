// Trees along which collectives reduce and broadcast, chunk after chunk.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/quantity.hpp"

namespace septet {

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

// Parent of a rank in the binary tree that NCCL 2.4 builds: ranks in order, leaves are odd, rank 0
// is the root and has one child. kNoParent for rank 0.
std::uint32_t binary_parent(std::uint32_t rank, std::uint32_t ranks);

// Two binary trees, each with half of the data, such that a rank inside one is a leaf of the other
// (P. Sanders, J. Speck, J. Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction
// and scan", Parallel Computing 35, 2009). The second is the first one mirrored, or shifted by one
// for an odd number of ranks.
Forest double_binary_trees(std::uint32_t ranks, Bytes bytes);

// Broadcasts from `root`: down the binary tree, or from each rank to the next.
Forest broadcast_tree(std::uint32_t ranks, std::uint32_t root, Bytes bytes);
Forest broadcast_chain(std::uint32_t ranks, std::uint32_t root, Bytes bytes);

}  // namespace septet
