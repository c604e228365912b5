#include "models/network/collective/schedule/trees.hpp"

namespace septet::network {

void make_broadcast(Forest& forest) {
  forest.reduces = false;
  for (TreeNode& node : forest.nodes) {
    node.contributes = node.parent == kNoParent;
    node.receives = !node.contributes;
  }
}

}  // namespace septet::network
