#include "models/network/collective/schedule/tree_schedule.hpp"

#include <algorithm>
#include <numeric>

namespace septet::network {
namespace {

// What a message means: the node that it is for, the chunk, and the direction.
struct Label {
  std::uint32_t node;
  std::uint32_t chunk;
  bool down;
};

std::uint64_t pack(const Label& label) {
  return (static_cast<std::uint64_t>(label.node) << 32U) |
         (static_cast<std::uint64_t>(label.chunk) << 1U) | (label.down ? 1U : 0U);
}

Label unpack(std::uint64_t label) {
  return {.node = static_cast<std::uint32_t>(label >> 32U),
          .chunk = static_cast<std::uint32_t>(label) >> 1U,
          .down = (label & 1U) != 0};
}

// `keys[i]` names the list that i belongs to, if any: where each list starts, and the lists.
void group_by(const std::vector<std::uint32_t>& keys, std::uint32_t count,
              std::vector<std::uint32_t>& first, std::vector<std::uint32_t>& lists) {
  first.assign(count + 1, 0);
  for (const std::uint32_t key : keys) {
    if (key < count) ++first[key + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  lists.resize(first.back());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    if (keys[i] < count) lists[next[keys[i]]++] = i;
  }
}

}  // namespace

TreeSchedule::TreeSchedule(const Forest& forest, std::uint32_t ranks, std::uint32_t chunks)
    : forest_(forest),
      chunks_(chunks),
      held_(forest.nodes.size(), 0),
      wanted_(ranks, 0),
      joined_(ranks, false) {
  index_children();
  index_endpoints();
  for (std::uint32_t node = 0; node < forest_.nodes.size(); ++node) {
    const TreeNode& place = forest_.nodes[node];
    if (place.receives && place.endpoint < ranks) wanted_[place.endpoint] += chunks_;
    const std::uint32_t below = first_child_[node + 1] - first_child_[node];
    missing_.insert(missing_.end(), forest_.reduces ? chunks_ : 0,
                    below + (place.contributes ? 1 : 0));
  }
}

void TreeSchedule::index_children() {
  std::vector<std::uint32_t> parents;
  for (const TreeNode& node : forest_.nodes) parents.push_back(node.parent);
  group_by(parents, static_cast<std::uint32_t>(parents.size()), first_child_, children_);
}

void TreeSchedule::index_endpoints() {
  std::vector<std::uint32_t> endpoints;
  for (const TreeNode& node : forest_.nodes) endpoints.push_back(node.endpoint);
  group_by(endpoints, ranks(), first_place_, places_);
}

void TreeSchedule::send(std::uint32_t from, std::uint32_t to, std::uint32_t chunk, bool down,
                        Sends& sends) const {
  const Bytes bytes = forest_.bytes[forest_.nodes[from].tree];
  sends.push_back({.from = forest_.nodes[from].endpoint,
                   .to = forest_.nodes[to].endpoint,
                   .label = pack({.node = to, .chunk = chunk, .down = down}),
                   .bytes = share_of(bytes, chunks_, chunk)});
}

void TreeSchedule::contribute(std::uint32_t node, std::uint32_t chunk, Sends& sends) {
  if (--missing_[static_cast<std::size_t>(node) * chunks_ + chunk] > 0) return;
  const std::uint32_t parent = forest_.nodes[node].parent;
  if (parent == kNoParent) return settle(node, chunk, sends);
  send(node, parent, chunk, false, sends);
}

void TreeSchedule::settle(std::uint32_t node, std::uint32_t chunk, Sends& sends) {
  const TreeNode& place = forest_.nodes[node];
  if (place.receives && place.endpoint < ranks()) --wanted_[place.endpoint];
  if (!forest_.broadcasts) return;
  if (forest_.reduces && place.contributes && chunk + forest_.window < chunks_) {
    contribute(node, chunk + forest_.window, sends);
  }
  for (std::uint32_t i = first_child_[node]; i < first_child_[node + 1]; ++i) {
    send(node, children_[i], chunk, true, sends);
  }
}

// Trees alternate, so that none waits for the others' chunks.
void TreeSchedule::join(std::uint32_t rank, Sends& sends) {
  joined_[rank] = true;
  const bool windowed = forest_.reduces && forest_.broadcasts;
  const std::uint32_t first = windowed ? std::min(forest_.window, chunks_) : chunks_;
  for (std::uint32_t chunk = 0; chunk < first; ++chunk) {
    for (std::uint32_t i = first_place_[rank]; i < first_place_[rank + 1]; ++i) {
      const std::uint32_t node = places_[i];
      const bool has_data = forest_.nodes[node].contributes;
      if (has_data && forest_.reduces) {
        contribute(node, chunk, sends);
      } else if (has_data || chunk < held_[node]) {
        settle(node, chunk, sends);
      }
    }
  }
}

void TreeSchedule::receive(std::uint32_t to, std::uint64_t label, Sends& sends) {
  const Label message = unpack(label);
  if (!message.down) return contribute(message.node, message.chunk, sends);
  if (to < ranks() && !joined_[to]) {
    ++held_[message.node];
    return;
  }
  settle(message.node, message.chunk, sends);
}

}  // namespace septet::network
