// CUDA graphs node by node: a node starts a gap after the last of the nodes that it depends on has
// ended. All graphs share one launcher, which starts nodes that become ready together one after
// another. The dependents of a node are started one by one; many dependents are prepared together,
// which takes longer at first (`graph_fan_gap`) and less for each.
//
// Programmatic dependency: a node with a single dependency may start once that node has triggered;
// the code after its griddepcontrol.wait is released when that node has ended.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/quantity.hpp"
#include "core/base/slot_pool.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/graph/compiled_graph.hpp"

namespace septet::gpu {

class GraphRuns {
 public:
  // What follows: a node becomes ready, or the work of a node that started early is released.
  struct Step {
    std::uint32_t node = kNone;
    std::uint32_t work = kNone;  // kNone: the node becomes ready
    Instant at;
  };

  GraphRuns(const FrontEndSpec& spec, const std::vector<graph::CompiledGraph>& graphs)
      : spec_(spec), graphs_(graphs) {}

  // A launch of a graph starts. The next call of `steps` returns its steps.
  std::uint32_t start(std::uint32_t graph, std::uint32_t command, Instant now);
  // A node lets its programmatic dependents start before it has ended.
  void trigger(std::uint32_t run, std::uint32_t node, Instant now);
  // A node has ended; its work had `triggered` early or not. True: it was the last one, and the
  // number of the run may be used again.
  bool end(std::uint32_t run, std::uint32_t node, bool triggered, Instant now);
  // What follows from the last of these calls, in order; valid until the next of them.
  std::span<const Step> steps() const { return steps_; }

  // A node that is ready becomes a work. True: it started early, and the work's body waits for the
  // node before it.
  bool gate(std::uint32_t run, std::uint32_t node, std::uint32_t work);

  std::uint32_t command(std::uint32_t run) const { return runs_[run].command; }
  const program::GraphNode& node(std::uint32_t run, std::uint32_t node) const {
    return graph_of(run).nodes()[node];
  }
  bool is_root(std::uint32_t run, std::uint32_t node) const {
    return graph_of(run).dependencies()[node] == 0;
  }

 private:
  struct Run {
    std::uint32_t graph = 0;
    std::uint32_t command = 0;
    std::uint32_t remaining = 0;              // nodes that have not ended
    std::vector<std::uint32_t> dependencies;  // by node: how many it still waits for
    std::vector<std::uint32_t> gate;          // by node: started early: its work, or kGateOpen
  };

  const graph::CompiledGraph& graph_of(std::uint32_t run) const {
    return graphs_[runs_[run].graph];
  }
  void ready(std::uint32_t node, Duration gap, Duration interval, Instant now);
  bool forks_widely(std::uint32_t run, std::uint32_t node) const;
  Duration gap(std::uint32_t run, std::uint32_t from, bool triggered) const;
  Duration interval(std::uint32_t run, std::uint32_t from) const;

  const FrontEndSpec& spec_;
  const std::vector<graph::CompiledGraph>& graphs_;
  SlotPool<Run> runs_;
  Instant launcher_free_;
  std::vector<Step> steps_;
};

}  // namespace septet::gpu
