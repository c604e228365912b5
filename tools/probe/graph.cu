// Group graph: chains, and forks and joins, of nodes that spin or do nothing.
#include "tools/probe/parts.cuh"
#include "tools/probe/spin.cuh"

namespace probe {
namespace {

constexpr int kWarp = 32;

void launch_node(const Device& device, double spin, cudaStream_t stream) {
  if (spin > 0) {
    spin_kernel<<<1, kWarp, 0, stream>>>(device.cycles(spin));
  } else {
    empty_kernel<<<1, kWarp, 0, stream>>>();
  }
}

void launch_nodes(const Device& device, int nodes, double spin, cudaStream_t stream) {
  for (int n = 0; n < nodes; ++n) launch_node(device, spin, stream);
}

cudaGraphExec_t instantiated(cudaGraph_t graph) {
  cudaGraphExec_t out;
  CHECK(cudaGraphInstantiate(&out, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  return out;
}

cudaGraphExec_t chain_of(const Device& device, int nodes, double spin, cudaStream_t stream) {
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch_nodes(device, nodes, spin, stream);
  CHECK(cudaStreamEndCapture(stream, &graph));
  return instantiated(graph);
}

void chain(Rows& rows, const Device& device, int nodes, double spin, cudaStream_t stream) {
  constexpr int kRuns = 31;
  constexpr int kBackToBack = 20;
  cudaGraphExec_t graph = chain_of(device, nodes, spin, stream);
  const Case about = Case("graph_chain")
                         .number("nodes", nodes)
                         .number("spin_us", spin)
                         .number("blocks", 1)
                         .number("threads", kWarp);
  double issue = 0;
  const double single = wall_us(
      kRuns, [&] { CHECK(cudaGraphLaunch(graph, stream)); }, &issue);
  rows.add(about, "wall_single", single, "us", kRuns);
  rows.add(about, "cpu_launch", issue, "us", kRuns);
  const double many = wall_us(7, [&] {
    for (int i = 0; i < kBackToBack; ++i) CHECK(cudaGraphLaunch(graph, stream));
  });
  rows.add(about, "wall_per_graph_b2b", many / kBackToBack, "us", 7);
  const double eager = wall_us(21, [&] { launch_nodes(device, nodes, spin, stream); });
  rows.add(about, "wall_eager_same_work", eager, "us", 21);
  CHECK(cudaGraphExecDestroy(graph));
}

// A root, `width` chains of `depth`, a join; also without work the nodes are spins.
cudaGraphExec_t fork_join_of(int width, int depth, long long cycles) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  void* arguments[] = {&cycles};
  cudaKernelNodeParams node{};
  node.func = reinterpret_cast<void*>(spin_kernel);
  node.gridDim = dim3(1);
  node.blockDim = dim3(kWarp);
  node.kernelParams = arguments;
  cudaGraphNode_t root;
  CHECK(cudaGraphAddKernelNode(&root, graph, nullptr, 0, &node));
  std::vector<cudaGraphNode_t> ends(width, root);
  for (int d = 0; d < depth; ++d) {
    for (cudaGraphNode_t& end : ends) {
      const cudaGraphNode_t before = end;
      CHECK(cudaGraphAddKernelNode(&end, graph, &before, 1, &node));
    }
  }
  cudaGraphNode_t join;
  CHECK(cudaGraphAddKernelNode(&join, graph, ends.data(), ends.size(), &node));
  return instantiated(graph);
}

void fork_join(Rows& rows, const Device& device, int width, int depth, double spin,
               cudaStream_t stream) {
  constexpr int kRuns = 31;
  cudaGraphExec_t graph = fork_join_of(width, depth, device.cycles(spin));
  const double wall = wall_us(kRuns, [&] { CHECK(cudaGraphLaunch(graph, stream)); });
  rows.add(Case("graph_forkjoin")
               .number("width", width)
               .number("depth", depth)
               .number("spin_us", spin)
               .number("blocks", 1)
               .number("threads", kWarp)
               .number("nodes", width * depth + 2)
               .number("edges", width * (depth + 1)),
           "wall_single", wall, "us", kRuns);
  CHECK(cudaGraphExecDestroy(graph));
}

}  // namespace

void measure_graphs(Rows& rows, const Device& device) {
  rows.group("graph");
  const std::vector<cudaStream_t> streams = make_streams(1);
  for (const int nodes : {1, 2, 5, 10, 20, 50, 100, 500, 1000}) {
    for (const double spin : {0.0, 5.0}) chain(rows, device, nodes, spin, streams[0]);
  }
  for (const int width : {2, 4, 8, 16, 32, 64}) {
    for (const int depth : {1, 4}) {
      for (const double spin : {0.0, 10.0}) {
        fork_join(rows, device, width, depth, spin, streams[0]);
      }
    }
  }
  destroy(streams);
}

}  // namespace probe
