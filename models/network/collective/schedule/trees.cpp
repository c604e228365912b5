#include "models/network/collective/schedule/trees.hpp"

#include <bit>

#include "models/network/collective/schedule/schedule.hpp"

namespace septet {
namespace {

// Adds a binary tree whose rank i is `rename(i)`; node numbers are those of i behind `base`.
template <class Rename>
void add_binary(Forest& forest, std::uint32_t ranks, Bytes bytes, Rename rename) {
  const auto base = static_cast<std::uint32_t>(forest.nodes.size());
  const auto tree = static_cast<std::uint32_t>(forest.bytes.size());
  forest.bytes.push_back(bytes);
  for (std::uint32_t i = 0; i < ranks; ++i) {
    const std::uint32_t parent = binary_parent(i, ranks);
    forest.add({.endpoint = rename(i),
                .parent = parent == kNoParent ? kNoParent : base + parent,
                .tree = tree});
  }
}

// Only the root, which stands first, has data, and only the others want it.
void make_broadcast(Forest& forest) {
  forest.reduces = false;
  for (TreeNode& node : forest.nodes) {
    node.contributes = node.parent == kNoParent;
    node.receives = !node.contributes;
  }
}

}  // namespace

std::uint32_t binary_parent(std::uint32_t rank, std::uint32_t ranks) {
  if (rank == 0) return kNoParent;
  const std::uint32_t lowest = rank & (~rank + 1);
  const std::uint32_t parent = (rank ^ lowest) | (lowest << 1U);
  return parent < ranks ? parent : rank ^ lowest;
}

Forest double_binary_trees(std::uint32_t ranks, Bytes bytes) {
  Forest forest;
  forest.window *= static_cast<std::uint32_t>(std::bit_width(ranks));  // one for each hop up
  add_binary(forest, ranks, share_of(bytes, 2, 0), [](std::uint32_t i) { return i; });
  add_binary(forest, ranks, share_of(bytes, 2, 1),
             [ranks](std::uint32_t i) { return ranks % 2 == 0 ? ranks - 1 - i : (i + 1) % ranks; });
  return forest;
}

Forest broadcast_tree(std::uint32_t ranks, std::uint32_t root, Bytes bytes) {
  Forest forest;
  add_binary(forest, ranks, bytes, [=](std::uint32_t i) { return (i + root) % ranks; });
  make_broadcast(forest);
  return forest;
}

Forest broadcast_chain(std::uint32_t ranks, std::uint32_t root, Bytes bytes) {
  Forest forest;
  forest.bytes.push_back(bytes);
  for (std::uint32_t i = 0; i < ranks; ++i) {
    forest.add({.endpoint = (i + root) % ranks, .parent = i == 0 ? kNoParent : i - 1});
  }
  make_broadcast(forest);
  return forest;
}

}  // namespace septet
