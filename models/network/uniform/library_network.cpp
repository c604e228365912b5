#include "models/network/uniform/library_network.hpp"

#include <algorithm>
#include <cmath>

#include "models/network/collective/algorithms/chooser.hpp"

namespace septet::network {
namespace {

bool known(const CollectiveSpec& library) { return library.link.count() > 0; }

NetworkSpec with_links_of(NetworkSpec spec, const CollectiveSpec& library) {
  if (known(library)) spec.link = library.link;
  return spec;
}

Bytes carried(Duration time, ByteRate rate) {
  return Bytes(
      static_cast<std::int64_t>(in_range<BytesTag>(std::floor(to_seconds(time) * rate.count()))));
}

}  // namespace

LibraryNetwork::LibraryNetwork(const NetworkSpec& spec, const ByRange<CollectiveSpec>& library,
                               std::uint32_t gpus)
    : library_(library), gpus_per_node_(spec.gpus_per_node) {
  for (std::size_t kind = 0; kind < library.kinds(); ++kind) {
    plain_.emplace_back(with_links_of(spec, library.of_kind(kind)), gpus);
  }
}

// The links are those of the GPU that has them.
ByteRate LibraryNetwork::link_rate(std::uint32_t link) const {
  return plain_[library_.kind(UniformNetwork::gpu_of(link))].link_rate(link);
}

// A ring goes at the pace of its slowest links.
std::size_t LibraryNetwork::slowest_kind(const CollectiveRequest& request) const {
  const auto rate = [&](std::uint32_t gpu) {
    return plain_[library_.kind(gpu)].link_rate(UniformNetwork::link_out_of(gpu));
  };
  const auto slowest = std::min_element(request.gpus.begin(), request.gpus.end(),
                                        [&](auto a, auto b) { return rate(a) < rate(b); });
  return library_.kind(*slowest);
}

CollectivePlan LibraryNetwork::plan(const CollectiveRequest& request) const {
  const std::size_t kind = library_.kind(request.gpus.front());
  const CollectiveSpec& library = library_.of_kind(kind);
  if (!in_one_node(*this, request)) return plain_[slowest_kind(request)].plan(request);
  if (!known(library)) return plain_[kind].plan(request);
  CollectivePlan plan = plan_in_node(library, true, request);
  CollectiveRequest any = request;
  any.algorithm = program::CollectiveAlgorithm::kAuto;
  any.protocol = program::CollectiveProtocol::kAuto;
  const Bytes most = carried(plan.transfer, library.link);
  for (LinkLoad load : plain_[kind].plan(any).loads) {
    load.bytes = std::min(load.bytes, most);
    if (load.bytes > Bytes(0)) plan.loads.push_back(load);
  }
  return plan;
}

}  // namespace septet::network
