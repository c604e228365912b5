// What links carry, in the rows of a run over a topology.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>

#include "core/trace/hdf5_reader.hpp"
#include "core/trace/hdf5_writer.hpp"
#include "models/network/cluster/cluster_network.hpp"
#include "models/records/link_records.hpp"
#include "scenarios/analysis/link_totals.hpp"
#include "scenarios/system/trace_file.hpp"
#include "tests/models/network/collective_spec.hpp"
#include "tests/models/network/topology/networks.hpp"
#include "tests/models/workload/recorded/kineto/trace_file.hpp"
#include "tests/support/random_ranks.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

using Ends = std::pair<std::string, std::string>;
using BytesOfLinks = std::map<Ends, std::int64_t>;

// The round system over four nodes of four GPUs in two pods: 400 GB/s inside, 50 GB/s out of each.
system::SystemSpec four_nodes() {
  system::SystemSpec system = round_system();
  system.gpu.sm_count = 64;  // room for the collectives' kernels beside the others
  system.cluster = std::make_shared<network::ClusterNetwork>(
      network::fat_tree(network::small_fat_tree(kPerNode, kNodes, 2)).build(),
      network::Routing::kRailAware, round_spec());
  system.trace_links = true;
  return system;
}

// What the rows say that each link carried.
BytesOfLinks carried(const system::ProgramRun& run) {
  BytesOfLinks out;
  for (const records::LinkRecord& row : run.rows.records<records::LinkRecord>()) {
    for (const network::LinkEnds& ends :
         run.trace.traced_links.links[static_cast<std::size_t>(row.link)].ends) {
      out[{ends.from, ends.to}] += row.bytes.count();
    }
  }
  return out;
}

std::vector<analysis::LinkTotal> totals_of(const system::ProgramRun& run, Duration span) {
  return analysis::link_totals(run.rows.records<records::LinkRecord>(),
                               run.trace.traced_links.links, span);
}

// What the plans of all collectives of a random program put on each link.
BytesOfLinks sent(const program::Program& program, const network::CollectiveModel& network) {
  BytesOfLinks out;
  for (const program::Call& call : program.call_lists[0]) {
    if (call.kind() != program::CallKind::kCollective) continue;
    const program::Collective& one = program.collectives[*index_in(call)];
    const std::uint32_t first = one.communicator == 0 ? 0 : kNodes;
    for (std::uint32_t c = 0; c < 4; ++c) {
      const network::CollectivePlan plan = network.plan(
          {.op = one.op, .bytes = one.bytes, .gpus = program.communicators[first + c].devices});
      for (const network::LinkLoad& load : plan.loads) {
        const network::LinkEnds ends = *network.link_ends(load.link);
        out[{ends.from, ends.to}] += load.bytes.count();
      }
    }
  }
  return out;
}

// A send of a million bytes from the first node to the second: 7 us until both kernels are on their
// SMs, 10 + 3 + 2 us of start-up (cluster_network_test.cpp), 40 us at half of 50 GB/s.
program::Program one_send() {
  program::ProgramBuilder builder;
  for (std::uint32_t device = 0; device < kRanks; ++device) builder.stream(0, device, device);
  const std::uint32_t pair = builder.communicator({1, 5});
  program::Collective message;
  message.communicator = pair;
  message.bytes = 1'000'000_B;
  message.op = program::CollectiveOp::kSend;
  message.peer = 1;
  const std::uint32_t send = builder.collective(message);
  message.op = program::CollectiveOp::kReceive;
  message.peer = 0;
  const std::uint32_t receive = builder.collective(message);
  builder.thread(1);
  builder.join(send, 1);
  builder.thread(5);
  builder.join(receive, 5);
  return builder.take();
}

TEST(Links, OfOneMessageCarryItsBytesWhileItMoves) {
  const system::ProgramRun run = run_program(one_send(), four_nodes(), {});
  const std::span<const records::LinkRecord> rows = run.rows.records<records::LinkRecord>();
  ASSERT_EQ(rows.size(), 1U);  // six links that carry the same
  EXPECT_EQ(rows[0].start, Instant() + 22_us);
  EXPECT_EQ(rows[0].end, Instant() + 62_us);
  EXPECT_EQ(rows[0].bytes, 1'000'000_B);
  EXPECT_DOUBLE_EQ(rows[0].utilization, 0.5);
  const network::TracedLink& route =
      run.trace.traced_links.links.at(static_cast<std::size_t>(rows[0].link));
  EXPECT_EQ(route.rate, 50_GBps);
  ASSERT_EQ(route.ends.size(), 6U);
  EXPECT_EQ(route.name, route.ends[0].from + "->" + route.ends[0].to + " and 5 like it");
  EXPECT_EQ(carried(run).count({"n0.nic1", "leaf0.1"}), 1U);
}

TEST(Links, CarryToTheByteWhatTheCollectivesSend) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const program::Program program = random_ranks(seed);
    const system::SystemSpec system = four_nodes();
    const system::ProgramRun run = run_program(program, system, {});
    EXPECT_EQ(carried(run), sent(program, *system.cluster)) << "seed " << seed;
    for (const records::LinkRecord& row : run.rows.records<records::LinkRecord>()) {
      const double most =
          run.trace.traced_links.links[static_cast<std::size_t>(row.link)].rate.count();
      const double carried = static_cast<double>(row.bytes.count());
      EXPECT_NEAR(carried, row.utilization * most * to_seconds(row.end - row.start), 2)
          << "seed " << seed;
    }
  }
}

// Of the first node's GPUs alone: their links inside the node, and those of the groups across
// nodes, to which each of them belongs; no links inside other nodes.
TEST(Links, OfTracedGpusAreThoseOfTheirCollectives) {
  const program::Program program = random_ranks(1);
  system::SystemSpec system = four_nodes();
  const BytesOfLinks all = carried(run_program(program, system, {}));
  system.traced_gpus = kPerNode;
  const BytesOfLinks first = carried(run_program(program, system, {}));
  EXPECT_EQ(first.count({"n0.gpu0", "n0.nvswitch0"}), 1U);
  EXPECT_EQ(first.count({"n3.gpu0", "n3.nvswitch0"}), 0U);
  EXPECT_EQ(first.count({"n3.nic0", "leaf1.0"}), 1U);
  EXPECT_LT(first.size(), all.size());
  for (const auto& [ends, bytes] : first) EXPECT_EQ(bytes, all.at(ends)) << ends.first;
}

TEST(Links, HaveNoRowsUnlessAskedFor) {
  system::SystemSpec system = four_nodes();
  system.trace_links = false;
  const system::ProgramRun run = run_program(random_ranks(1), system, {});
  for (const trace::TableSpec& table : run.trace.schema.tables()) EXPECT_NE(table.name, "links");
  EXPECT_TRUE(totals_of(run, 1_ms).empty());
  // The plain network's links are no cables.
  system.cluster = nullptr;
  system.trace_links = true;
  EXPECT_TRUE(run_program(random_ranks(1), system, {}).trace.traced_links.links.empty());
}

TEST(Links, ChangeNothingWhenTraced) {
  system::SystemSpec system = four_nodes();
  const engine::RunResult traced = run_program(random_ranks(2), system, {}).result;
  system.trace_links = false;
  EXPECT_EQ(run_program(random_ranks(2), system, {}).result.digest, traced.digest);
}

// 1,000,000 bytes over 40 us of a span of 100 us: half of the link while it moves.
TEST(Links, AreSummedUpOverARun) {
  const system::ProgramRun run = run_program(one_send(), four_nodes(), {});
  const std::vector<analysis::LinkTotal> totals = totals_of(run, 100_us);
  ASSERT_EQ(totals.size(), 1U);
  EXPECT_EQ(totals[0].bytes, 1'000'000_B);
  EXPECT_EQ(totals[0].links, 6U);
  EXPECT_DOUBLE_EQ(totals[0].mean, 0.2);
  EXPECT_DOUBLE_EQ(totals[0].peak, 0.5);
}

// Writes the trace of a run.
void write_trace(const std::filesystem::path& path, const program::Program& program,
                 unsigned threads) {
  system::System system(program, four_nodes());
  trace::Hdf5Writer writer(path, system.trace().schema);
  describe_run(system, writer);
  engine::RunOptions options;
  options.threads = threads;
  options.partitions = threads == 1 ? 1 : kNodes + 1;
  options.rows = &writer;
  system.run(options);
  writer.finish();
}

std::string trace_of(const program::Program& program, unsigned threads) {
  const TemporaryDirectory directory;
  const std::filesystem::path path = directory.path() / "trace.h5";
  write_trace(path, program, threads);
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

TEST(Links, AreTheSameFileWithAnyNumberOfThreads) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const program::Program program = random_ranks(seed);
    const std::string alone = trace_of(program, 1);
    for (const unsigned threads : {2U, 4U}) {
      EXPECT_TRUE(trace_of(program, threads) == alone)
          << "seed " << seed << ", " << threads << " threads";
    }
  }
}

TEST(Links, AreNamedByTheirEndsInTheFile) {
  const TemporaryDirectory directory;
  const std::filesystem::path path = directory.path() / "trace.h5";
  write_trace(path, one_send(), 1);
  const trace::Hdf5Reader file(path);
  EXPECT_EQ(file.rows("links"), 1U);
  EXPECT_EQ(file.dictionary("link").size(), 1U);
  const std::vector<trace::CompoundColumn> ends = file.compound("link_ends");
  ASSERT_EQ(ends.size(), 4U);
  EXPECT_EQ(ends[0].values, trace::CompoundValues(std::vector<std::int64_t>(6, 0)));
  EXPECT_EQ(std::get<std::vector<std::string>>(ends[1].values).size(), 6U);
  EXPECT_EQ(ends[3].values, trace::CompoundValues(std::vector<double>(6, 50e9)));
  EXPECT_EQ(ends[3].units, "B/s");
}

}  // namespace
}  // namespace septet::test
