// The double binary tree of NCCL 2.4; see tree.cpp.
#pragma once

#include "models/network/collective/schedule/trees.hpp"

namespace septet::network {

// Parent of a rank in the binary tree: leaves are odd, rank 0 is the root and has one child.
// kNoParent for rank 0.
std::uint32_t binary_parent(std::uint32_t rank, std::uint32_t ranks);

// Two binary trees, each with half of the data.
Forest double_binary_trees(std::uint32_t ranks, Bytes bytes);

}  // namespace septet::network
