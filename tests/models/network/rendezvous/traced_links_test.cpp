#include "models/network/rendezvous/traced_links.hpp"

#include <gtest/gtest.h>

#include "models/network/uniform/uniform_network.hpp"
#include "models/program/builder.hpp"

namespace septet::test {
namespace {

class NamedLinks : public network::UniformNetwork {
 public:
  using network::UniformNetwork::UniformNetwork;
  std::optional<network::LinkEnds> link_ends(std::uint32_t link) const override {
    return network::LinkEnds{"gpu" + std::to_string(gpu_of(link)),
                             "link" + std::to_string(link % 4)};
  }
};

void send(program::ProgramBuilder& builder, std::uint32_t communicator, std::uint32_t from,
          std::uint32_t to) {
  program::Collective message;
  message.op = program::CollectiveOp::kSend;
  message.communicator = communicator;
  message.bytes = 1_MiB;
  message.peer = to;
  builder.thread(from);
  builder.join(builder.collective(message), from);
}

// Two nodes of two GPUs and three messages of one group: over the links inside either node, and
// over NICs between them. Of each, the way out of one GPU and that into the other carry the same.
TEST(TracedLinks, OfMessagesAreThoseOfWhichOneEndIsTraced) {
  program::ProgramBuilder builder;
  for (std::uint32_t device = 0; device < 4; ++device) builder.stream(0, device, device);
  const std::uint32_t all = builder.communicator({0, 1, 2, 3});
  send(builder, all, 0, 1);
  send(builder, all, 2, 3);
  send(builder, all, 3, 0);
  const program::Program program = builder.take();
  network::NetworkSpec spec;
  spec.gpus_per_node = 2;
  const NamedLinks network(spec, 4);
  const network::CollectiveCallTable calls(program, network);
  const network::TracedLinks first = traced_links(program, calls, network, 1);
  ASSERT_EQ(first.links.size(), 2U);
  EXPECT_EQ(first.links[0].name, "gpu0->link0 and 1 like it");
  EXPECT_EQ(first.links[1].name, "gpu0->link3 and 1 like it");  // from GPU 3, by NIC
  EXPECT_EQ(traced_links(program, calls, network, 3).links.size(), 3U);
}

}  // namespace
}  // namespace septet::test
