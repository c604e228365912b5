#include "scenarios/config/kernels/operator_text.hpp"
#include "tests/scenarios/config/testing.hpp"
#include "tests/support/calls.hpp"

namespace septet::config {
namespace {

using Kinds = std::vector<program::CallKind>;

Kinds kinds_of(const program::HostThread& thread) {
  Kinds out;
  for (const program::Call& call : thread.calls) out.push_back(call.kind());
  return out;
}

std::vector<std::uint32_t> streams_of_calls(const program::HostThread& thread) {
  std::vector<std::uint32_t> out;
  for (const program::Call& call : thread.calls) out.push_back(call.stream);
  return out;
}

// Two streams s0 and s1 with kernel k.
std::string on_two_streams(const std::string& steps) {
  const std::string text = scenario_with(steps);
  const std::size_t at = text.find("name = \"s\"\n");
  return text.substr(0, at) + "count = 2\n" + text.substr(at);
}

TEST(ProgramReader, ReadsEveryFieldOfAKernel) {
  const Scenario scenario = scenario_of(
      "[hardware]\ngpu = \"h200-sxm\"\n[[kernel]]\nname = \"k\"\ngrid = [4, 3, 2]\nblock = [32, "
      "4]\n"
      "cluster = [2]\nregisters = 40\nstatic_shared = \"1 KiB\"\ndynamic_shared = \"2 KiB\"\n"
      "arguments = \"24 B\"\nblock_time = \"10 us\"\nprologue = \"2 us\"\nby_clock = true\n");
  const program::Kernel& kernel = scenario.program.kernels.at(0);
  const program::LaunchShape shape{{4, 3, 2}, {32, 4, 1}, 40, 1_KiB, 2_KiB, {2, 1, 1}};
  EXPECT_EQ(kernel.name, "k");
  EXPECT_EQ(kernel.shape, shape);
  EXPECT_EQ(kernel.argument_bytes, 24_B);
  const auto& work = std::get<program::FixedBlockWork>(kernel.work);
  EXPECT_EQ(work.block_time, 10_us);
  EXPECT_TRUE(work.by_clock);
  EXPECT_TRUE(work.triggers);
  EXPECT_EQ(work.prologue, 2_us);
}

TEST(ProgramReader, ReadsKernelsDescribedByTheirInstructions) {
  const Scenario scenario = scenario_of(
      "[hardware]\ngpu = \"h200-sxm\"\n[[kernel]]\nname = \"k\"\ngrid = 4\nblock = 32\n"
      "once = 7\nwave = 5\nsegments = [{ chain = 9, instructions = { fma = 8 } },\n"
      "  { repeat = 3, memory = [{ requests = 2, element = \"8 B\", l2_hit = 0.5 }] }]\n");
  program::InstructionWork expected;
  expected.once_cycles = 7;
  expected.wave_cycles = 5;
  expected.segments.resize(2);
  expected.segments[0].chain_cycles = 9;
  expected.segments[0][program::Pipe::kFma] = 8;
  expected.segments[1].repeat = 3;
  expected.segments[1][program::Pipe::kLsu] = 2;
  program::MemoryBatch batch;
  batch.requests = 2;
  batch.sectors = 8;  // 32 threads of 8 bytes in sectors of 32
  batch.lines = 2;
  batch.l2_hit = 0.5;
  expected.segments[1].batches = {batch};
  EXPECT_EQ(std::get<program::InstructionWork>(scenario.program.kernels.at(0).work), expected);
}

program::OperatorWork operator_of(const std::string& text) {
  const Scenario scenario = scenario_of(
      "[hardware]\ngpu = \"h200-sxm\"\n[[kernel]]\nname = \"k\"\nop = { " + text + " }\n");
  return std::get<program::OperatorWork>(scenario.program.kernels.at(0).work);
}

TEST(ProgramReader, ReadsOperators) {
  const program::OperatorWork product{program::Gemm{.m = 64,
                                                    .n = 128,
                                                    .k = 256,
                                                    .type = program::DataType::kFp8,
                                                    .state = {0.25, true, true}},
                                      program::Library::kVllm,
                                      {.before = 3_ms}};
  EXPECT_EQ(operator_of("name = \"gemm\", m = 64, n = 128, k = 256, dtype = \"fp8\", library = "
                        "\"vllm\", l2_hit = 0.25, l2_dirty = true, output_stays = true, load = "
                        "\"3 ms\""),
            product);
  const program::OperatorWork decode{program::Attention{.phase = program::AttentionPhase::kDecode,
                                                        .batch = 4,
                                                        .heads = 32,
                                                        .kv_heads = 8,
                                                        .keys = 1000}};
  EXPECT_EQ(operator_of("name = \"attention_decode\", batch = 4, heads = 32, kv_heads = 8, kv = "
                        "1000, dim = 128"),
            decode);
  const program::OperatorWork softmax{
      program::Rowwise{.what = program::RowOperator::kSoftmax, .rows = 10, .columns = 20}};
  EXPECT_EQ(operator_of("name = \"softmax\", rows = 10, cols = 20"), softmax);
  const program::OperatorWork window{program::Convolution{.batch = 2,
                                                          .in_channels = 3,
                                                          .height = 32,
                                                          .width = 32,
                                                          .out_channels = 8,
                                                          .kernel_height = 5,
                                                          .kernel_width = 5,
                                                          .stride = 2}};
  EXPECT_EQ(operator_of("name = \"convolution\", batch = 2, in_channels = 3, height = 32, width = "
                        "32, out_channels = 8, kernel_size = 5, stride = 2"),
            window);
}

// What `septet explain` asks about can be a kernel of a scenario, in the same words.
TEST(ProgramReader, ReadsEveryOperatorThatCanBeExplained) {
  for (const program::OperatorKind& kind : program::operator_kinds()) {
    std::string text = "name = \"" + kind.name + "\"";
    for (const program::ShapeField& field : kind.fields) {
      if (field.required) text += ", " + field.key + " = 64";
    }
    EXPECT_NO_THROW(operator_of(text)) << text;
  }
}

TEST(ProgramReader, RefusesOperatorsWhoseKeysDoNotFit) {
  const auto mistake_of = [](const std::string& text) {
    return mistake([&] { operator_of(text); });
  };
  const std::string at = "test.toml:5:6: kernel.k.op";
  EXPECT_EQ(mistake_of("name = \"gemm\", m = 1, n = 1"),
            at + ".k: got nothing, wanted a whole number from 1 to 4194304 (inner dimension of the "
                 "product)");
  EXPECT_EQ(mistake_of("name = \"add\", elements = 1, m = 2"),
            "test.toml:5:36: kernel.k.op.m: got an unknown key, wanted one of: name, elements, "
            "rows, cols, dtype, l2_hit, l2_dirty, output_stays, load");
  EXPECT_EQ(mistake_of("name = \"gemm\", m = 0, n = 1, k = 1"),
            "test.toml:5:27: kernel.k.op.m: got the integer 0, wanted a whole number from 1 to "
            "4194304");
  EXPECT_EQ(mistake_of("name = \"attention_decode\", batch = 1, heads = 3, kv_heads = 2, kv = 1, "
                       "dim = 1"),
            "test.toml:5:68: kernel.k.op.kv_heads: got 2, wanted a divisor of heads");
}

TEST(ProgramReader, TurnsEachStepIntoItsCall) {
  const Scenario scenario = scenario_of(scenario_with(
      "{ launch = \"k\", cost = \"3 us\", label = \"mine\" }, "
      "{ copy = \"1 MiB\", direction = \"device to host\", pinned = false, blocking = true }, "
      "{ memset = \"2 MiB\" }, { record = \"e\" }, { wait = \"e\" }, { synchronize_event = \"e\" "
      "}, "
      "{ synchronize_stream = \"s\" }, { synchronize_device = 0 }, { host_work = \"5 us\" }, "
      "{ api = \"cudaMalloc\" }, { post = \"p\" }, { await = \"p\" }, { marker = \"here\" }"));
  const program::HostThread& thread = scenario.program.threads.at(0);
  EXPECT_EQ(kinds_of(thread),
            (Kinds{program::CallKind::kLaunchKernel, program::CallKind::kCopy,
                   program::CallKind::kMemset, program::CallKind::kRecordEvent,
                   program::CallKind::kWaitEvent, program::CallKind::kSynchronizeEvent,
                   program::CallKind::kSynchronizeStream, program::CallKind::kSynchronizeDevice,
                   program::CallKind::kHostWork, program::CallKind::kApi, program::CallKind::kPost,
                   program::CallKind::kAwait, program::CallKind::kMarker}));
  EXPECT_EQ(thread.calls[0].cost, 3_us);
  EXPECT_EQ(scenario.program.strings.at(thread.calls[0].name), "mine");
  EXPECT_EQ(test::time_in(thread.calls[0]), program::kModelled);
  const program::Copy& copy = program::as<program::Copy>(thread.calls[1]);
  EXPECT_EQ(copy.direction, program::CopyDirection::kDeviceToHost);
  EXPECT_EQ(copy.bytes, 1_MiB);
  EXPECT_FALSE(copy.pinned);
  EXPECT_TRUE(copy.blocking);
  EXPECT_EQ(test::time_in(thread.calls[8]), 5_us);
  EXPECT_EQ(scenario.program.strings.at(thread.calls[9].name), "cudaMalloc");
  EXPECT_EQ(scenario.program.strings.at(*index_in(thread.calls[12])), "here");
}

TEST(ProgramReader, ServesTheStreamsOfAGroupInTurn) {
  const auto order = [](const std::string& steps) {
    return streams_of_calls(scenario_of(on_two_streams(steps)).program.threads.at(0));
  };
  using Order = std::vector<std::uint32_t>;
  // Depth first with `times`, breadth first with `repeat`.
  EXPECT_EQ(order("{ launch = \"k\", stream = \"s\", times = 2 }"), (Order{0, 0, 1, 1}));
  EXPECT_EQ(order("{ repeat = 2, steps = [{ launch = \"k\", stream = \"s\" }] }"),
            (Order{0, 1, 0, 1}));
  EXPECT_EQ(order("{ launch = \"k\", stream = [\"s1\", \"s0\"] }"), (Order{1, 0}));
}

TEST(ProgramReader, WantsAStreamWhereThereAreSeveral) {
  EXPECT_EQ(mistake_in(on_two_streams("{ launch = \"k\" }")),
            "test.toml:13:10: thread.t.steps.0: got no stream, wanted the key `stream`, since "
            "there are 2");
}

TEST(ProgramReader, RepeatsBlocksInsideBlocks) {
  const Scenario scenario =
      scenario_of(scenario_with("{ repeat = 3, steps = [{ repeat = 2, steps = [{ launch = \"k\" }] "
                                "}, { marker = \"m\" }] }"));
  const Kinds one = {program::CallKind::kLaunchKernel, program::CallKind::kLaunchKernel,
                     program::CallKind::kMarker};
  Kinds expected;
  for (int i = 0; i < 3; ++i) expected.insert(expected.end(), one.begin(), one.end());
  EXPECT_EQ(kinds_of(scenario.program.threads.at(0)), expected);
}

TEST(ProgramReader, RefusesProgramsThatFillTheMemory) {
  // 4,001 x 4,000 calls are 4,000 more than the 16,000,000 that are allowed.
  EXPECT_EQ(
      mistake_in(scenario_with("{ repeat = 4001, steps = [{ launch = \"k\", times = 4000 }] }")),
      "test.toml:12:36: thread.t.steps.0.steps.0: got a program with too many calls, wanted at "
      "most 16000000; run.max_calls allows more");
  EXPECT_EQ(mistake_in(scenario_with("{ repeat = 1000000000, steps = [] }")),
            "test.toml:12:41: thread.t.steps.0.steps: got an empty repeat, wanted at least one "
            "step");
}

TEST(ProgramReader, TakesAsManyCallsAsTheScenarioAllows) {
  const std::string text = scenario_with("{ launch = \"k\", times = 20 }");
  EXPECT_EQ(scenario_of(text, {"run.max_calls=20"}).program.threads.at(0).calls.size(), 20U);
  EXPECT_EQ(mistake([&] { scenario_of(text, {"run.max_calls=19"}); }),
            "test.toml:12:10: thread.t.steps.0: got a program with too many calls, wanted at most "
            "19; run.max_calls allows more");
}

TEST(ProgramReader, GivesARecordedKernelItsDuration) {
  const std::string more = "[[kernel]]\nname = \"r\"\ngrid = 1\nblock = 1\nduration = \"12 us\"\n";
  const Scenario scenario = scenario_of(
      scenario_with("{ launch = \"r\" }, { launch = \"r\", duration = \"9 us\" }", more));
  const program::HostThread& thread = scenario.program.threads.at(0);
  EXPECT_EQ(test::time_in(thread.calls[0]), 12_us);
  EXPECT_EQ(test::time_in(thread.calls[1]), 9_us);
}

TEST(ProgramReader, RefusesStreamsOfAnotherProcess) {
  const std::string more = "[[stream]]\nname = \"other\"\nprocess = 1\n";
  EXPECT_EQ(mistake_in(scenario_with("{ launch = \"k\", stream = \"other\" }", more)),
            "test.toml:15:35: thread.t.steps.0.stream: got stream 'other' of process 1, wanted a "
            "stream of the thread's process, 0");
}

TEST(ProgramReader, NumbersTheThreadsOfAGroup) {
  std::string text = on_two_streams("{ launch = \"k\", stream = \"s{thread}\" }");
  text.insert(text.find("name = \"t\""), "count = 2\n");
  const program::Program program = scenario_of(text).program;
  ASSERT_EQ(program.threads.size(), 2U);
  EXPECT_EQ(program.threads[0].name, "t0");
  EXPECT_EQ(program.threads[1].name, "t1");
  EXPECT_EQ(program.threads[1].calls.at(0).stream, 1U);
}

TEST(ProgramReader, TakesConnectionsFromTheProfileUnlessTheyAreGiven) {
  const std::string text = scenario_with("{ launch = \"k\" }");
  EXPECT_EQ(scenario_of(text).hardware.connections, 8U);
  EXPECT_EQ(scenario_of(text, {"hardware.connections=2"}).hardware.connections, 2U);
}

TEST(ProgramReader, ReadsTheOptionsOfTheRun) {
  const std::string text = "name = \"n\"\ndescription = \"d\"\n[run]\nseed = 7\nend = \"3 ms\"\n" +
                           scenario_with("{ launch = \"k\" }");
  const Scenario scenario = scenario_of(text);
  EXPECT_EQ(scenario.name, "n");
  EXPECT_EQ(scenario.description, "d");
  EXPECT_EQ(scenario.run.seed, 7U);
  EXPECT_EQ(scenario.run.end, 3_ms);
  EXPECT_EQ(scenario_of(scenario_with("{ launch = \"k\" }")).name, "test");
}

}  // namespace
}  // namespace septet::config
