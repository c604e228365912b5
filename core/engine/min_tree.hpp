// The smallest of a fixed number of values that change one at a time: a binary tree of minima, so
// that a change takes at most as many steps as the tree is deep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace septet::engine {

template <class Value>
class MinTree {
 public:
  // `count` values, all `value`; at least one.
  MinTree(std::size_t count, Value value) : nodes_(2 * count, value) {}

  void set(std::size_t index, Value value) {
    std::size_t node = index + nodes_.size() / 2;
    while (nodes_[node] != value) {
      nodes_[node] = value;
      if (node == 1) return;
      value = std::min(value, nodes_[node ^ 1U]);
      node /= 2;
    }
  }

  const Value& smallest() const { return nodes_[1]; }

  // The index of a smallest value.
  std::size_t index_of_smallest() const {
    const std::size_t leaves = nodes_.size() / 2;
    std::size_t node = 1;
    while (node < leaves) node = nodes_[2 * node] == nodes_[node] ? 2 * node : 2 * node + 1;
    return node - leaves;
  }

 private:
  std::vector<Value> nodes_;  // the children of node n are 2n and 2n + 1; the last half are leaves
};

}  // namespace septet::engine
