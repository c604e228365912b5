// Communicators, collectives and training steps as scenarios write them.
#include <gtest/gtest.h>

#include "tests/scenarios/config/testing.hpp"

namespace septet::config {
namespace {

// Two GPUs with a stream each, s0 and s1; `step` is the only step of the only thread. Line 13.
std::string two_gpus(const std::string& step, const std::string& devices = "[0, 1]") {
  return "[hardware]\ngpu = \"h200-sxm\"\ngpus = 2\n[[communicator]]\nname = \"pair\"\ndevices = " +
         devices +
         "\n[[stream]]\nname = \"s0\"\n[[stream]]\nname = \"s1\"\ndevice = 1\n"
         "[[thread]]\nname = \"t\"\nsteps = [" +
         step + "]\n";
}

TEST(CollectiveStep, CallsAnOperationOnEachStream) {
  const program::Program program =
      scenario_of(two_gpus("{ collective = \"all_gather\", communicator = \"pair\", bytes = \"4 "
                           "MiB\", data_type = \"bf16\", protocol = \"ll\", channels = 8, stream = "
                           "[\"s0\", \"s1\"] }"))
          .program;
  ASSERT_EQ(program.collectives.size(), 1U);
  const program::Collective& collective = program.collectives[0];
  EXPECT_EQ(collective.op, program::CollectiveOp::kAllGather);
  EXPECT_EQ(collective.bytes, 4_MiB);
  EXPECT_EQ(collective.data_type, "bf16");
  EXPECT_EQ(collective.protocol, program::CollectiveProtocol::kLowLatency);
  EXPECT_EQ(collective.algorithm, program::CollectiveAlgorithm::kAuto);
  EXPECT_EQ(collective.channels, 8U);
  ASSERT_EQ(program.threads[0].calls.size(), 2U);
  EXPECT_EQ(program.threads[0].calls[0].kind(), program::CallKind::kCollective);
  EXPECT_EQ(program.threads[0].calls[1].stream, 1U);
  EXPECT_EQ(program.communicators[0].devices, (std::vector<std::uint32_t>{0, 1}));
}

// Four H200s, or others as the text says.
std::string four_gpus(const std::string& others) {
  return "[hardware]\ngpu = \"h200-sxm\"\ngpus = 4\n" + others +
         "[[stream]]\nname = \"s\"\n[[thread]]\nname = \"t\"\nsteps = []\n";
}

TEST(OtherGpus, HaveTheNumbersOfTheirProfiles) {
  const Scenario scenario =
      scenario_of(four_gpus("[[hardware.other]]\ngpu = \"h100-sxm\"\nfirst = 2\ncount = 2\n"));
  ASSERT_EQ(scenario.hardware.others.size(), 1U);
  const host::OtherGpus& others = scenario.hardware.others[0];
  EXPECT_EQ(others.gpu.name, "h100-sxm");
  EXPECT_EQ(others.first, 2U);
  EXPECT_EQ(others.count, 2U);
  EXPECT_EQ(scenario.hardware.gpu.name, "h200-sxm");
}

TEST(Hardware, WarnsOfLinksThatTheGpusOwnReplace) {
  const std::string link = "[interconnect]\nlink = \"100 GB/s\"\n";
  EXPECT_EQ(
      scenario_of(four_gpus(link)).hardware.warnings,
      std::vector<std::string>{
          "interconnect.link: not used, since h200-sxm has its own links: gpu.collective.link"});
  EXPECT_TRUE(
      scenario_of(four_gpus("[interconnect]\nnic = \"100 GB/s\"\n")).hardware.warnings.empty());
}

TEST(OtherGpus, NameWhatTheyCannotBe) {
  EXPECT_EQ(mistake_in(four_gpus("[[hardware.other]]\ngpu = \"h100-sxm\"\nfirst = 2\ncount = 3\n")),
            "test.toml:7:9: hardware.other.0.count: got GPUs 2 to 4, wanted GPUs below "
            "hardware.gpus, 4");
  EXPECT_EQ(mistake_in(four_gpus("[[hardware.other]]\ngpu = \"h100-sxm\"\nfirst = 1\ncount = 2\n"
                                 "[[hardware.other]]\ngpu = \"h100-sxm\"\nfirst = 2\n")),
            "test.toml:10:9: hardware.other.1.first: got GPU 2, wanted GPUs that hardware.other.0 "
            "does not name");
  EXPECT_EQ(mistake_in(four_gpus("[[hardware.other]]\nfirst = 2\n")),
            "test.toml:4:1: hardware.other.0.gpu: got nothing, wanted the name of a GPU profile, "
            "such as \"h200-sxm\"");
}

TEST(CollectiveStep, MayBeCaptured) {
  std::string text = two_gpus("{ launch_graph = \"g\", stream = \"s0\" }");
  text +=
      "[[graph]]\nname = \"g\"\ncapture = [{ collective = \"all_reduce\", communicator = "
      "\"pair\", bytes = \"1 KiB\", stream = \"s0\" }]\n";
  const program::Program program = scenario_of(text).program;
  EXPECT_TRUE(program::is<program::JoinCollective>(program.graphs[0].nodes[0]));
}

TEST(CollectiveStep, NamesWhatItCannotDo) {
  EXPECT_EQ(mistake_in(two_gpus("{ collective = \"all_redcue\", communicator = \"pair\", stream = "
                                "\"s0\" }")),
            "test.toml:14:25: thread.t.steps.0.collective: got \"all_redcue\", wanted one of: "
            "all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, send_recv, send, recv");
  EXPECT_EQ(
      mistake_in(two_gpus("{ collective = \"send\", communicator = \"pair\", peer = 2, stream "
                          "= \"s0\", bytes = \"1 KiB\" }")),
      "test.toml:14:63: thread.t.steps.0.peer: got 2, wanted a rank below 2");
}

// A step of the pair on stream s0.
std::string pair_step(const std::string& op, const std::string& keys) {
  return two_gpus("{ collective = \"" + op + "\", communicator = \"pair\", stream = \"s0\"" + keys +
                  " }");
}

TEST(CollectiveStep, RefusesAPeerWhereThereIsNone) {
  EXPECT_EQ(mistake_in(pair_step("all_reduce", ", bytes = \"1 KiB\", peer = 0")),
            "test.toml:14:101: thread.t.steps.0.peer: got 0, wanted no peer: all_reduce is among "
            "all ranks");
  EXPECT_EQ(mistake_in(pair_step("send", ", bytes = \"1 KiB\"")),
            "test.toml:14:10: thread.t.steps.0: got no peer, wanted the key `peer`, a rank "
            "below 2");
  EXPECT_EQ(mistake_in(pair_step("recv", ", bytes = \"1 KiB\", peer = 0")),
            "test.toml:14:95: thread.t.steps.0.peer: got 0, the rank that calls, wanted another "
            "rank");
  const program::Program program =
      scenario_of(pair_step("broadcast", ", bytes = \"1 KiB\"")).program;
  EXPECT_EQ(program.collectives[0].peer, 0U);
}

TEST(CollectiveStep, RefusesAlgorithmsAndProtocolsThatTheOperationHasNot) {
  EXPECT_EQ(mistake_in(pair_step("all_to_all", ", bytes = \"1 KiB\", algorithm = \"ring\"")),
            "test.toml:14:106: thread.t.steps.0.algorithm: got \"ring\", wanted direct or "
            "hierarchical for all_to_all");
  EXPECT_EQ(mistake_in(pair_step("all_to_all", ", bytes = \"1 KiB\", protocol = \"ll128\"")),
            "test.toml:14:105: thread.t.steps.0.protocol: got \"ll128\", wanted ll or simple for "
            "all_to_all");
  EXPECT_EQ(mistake_in(pair_step("all_reduce",
                                 ", bytes = \"1 KiB\", algorithm = \"nvls\", "
                                 "protocol = \"ll\"")),
            "test.toml:14:125: thread.t.steps.0.protocol: got \"ll\", wanted simple for nvls");
}

TEST(CollectiveStep, NeedsItsSize) {
  EXPECT_EQ(mistake_in(pair_step("all_reduce", "")),
            "test.toml:14:10: thread.t.steps.0: got no size, wanted the key `bytes`");
}

TEST(Communicator, NamesWhatIsWrongWithItsRanks) {
  EXPECT_EQ(mistake_in(two_gpus("", "[0]")),
            "test.toml:6:11: communicator.pair.devices: got a group of 1, wanted at least two "
            "ranks");
  EXPECT_EQ(mistake_in(two_gpus("", "[0, 2]")),
            "test.toml:6:11: communicator.pair.devices: got 2, wanted indices below "
            "hardware.gpus, 2");
  EXPECT_EQ(mistake_in(two_gpus("", "[1, 0, 1]")),
            "test.toml:6:11: communicator.pair.devices: got device 1 twice, wanted each device "
            "once");
}

std::string training(const std::string& gpus, const std::string& more = "") {
  return "[hardware]\ngpu = \"h200-sxm\"\ngpus = " + gpus +
         "\n[training]\nseq_length = 512\ntensor_parallel_size = 2\n"
         "data_parallel_size = 2\n[training.model]\nnum_layers = 2\n"
         "hidden_size = 1024\nnum_attention_heads = 8\nnum_query_groups = 8\n"
         "ffn_hidden_size = 4096\nvocab_size = 32000\n" +
         more;
}

TEST(Training, IsAWholeProgram) {
  const program::Program program = scenario_of(training("4")).program;
  EXPECT_EQ(program.devices, 4U);
  EXPECT_EQ(program.threads.size(), 4U);
  EXPECT_EQ(program.call_lists.size(), 1U);
}

TEST(Training, WarnsOfTokensThatNobodyShares) {
  EXPECT_TRUE(
      scenario_of(training("4"), {"training.sequence_parallel=true"}).hardware.warnings.empty());
  EXPECT_EQ(scenario_of(training("4"),
                        {"training.sequence_parallel=true", "training.tensor_parallel_size=1",
                         "training.data_parallel_size=4"})
                .hardware.warnings,
            std::vector<std::string>{
                "training.sequence_parallel: not used, since training.tensor_parallel_size is 1"});
}

TEST(Training, NamesWhatDoesNotFit) {
  EXPECT_EQ(mistake_in(training("8")),
            "test.toml:3:8: hardware.gpus: got 8, wanted tensor_parallel_size * "
            "pipeline_parallel_size * data_parallel_size of [training], 4");
  EXPECT_EQ(mistake_in(training("4", "[[stream]]\nname = \"s\"\n")),
            "test.toml:15:1: stream: got a table together with [training], wanted one of the two");
  const std::vector<std::string> three = {"training.tensor_parallel_size=3"};
  EXPECT_NE(mistake_in(training("4"), three)
                .find("training.model.num_attention_heads: got 8, wanted a multiple of "
                      "training.tensor_parallel_size, 3"),
            std::string::npos);
}

}  // namespace
}  // namespace septet::config
