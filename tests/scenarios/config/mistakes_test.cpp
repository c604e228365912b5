// Each class of mistake in a scenario, with the whole message.
#include "tests/scenarios/config/testing.hpp"

namespace septet::config {
namespace {

TEST(ScenarioMistake, OfAnUnknownKeyNamesTheKeysAndANearOne) {
  EXPECT_EQ(mistake_in("[hardware]\ngpu = \"h200-sxm\"\ngpsu = 2\n"),
            "test.toml:3:1: hardware.gpsu: got an unknown key, wanted one of: gpu, host, gpus, "
            "connections, mps, traced_gpus, recorded_share, other (did you mean 'gpu' or 'gpus'?)");
}

TEST(ScenarioMistake, OfAMissingKeySaysWhatItWouldHold) {
  EXPECT_EQ(mistake_in("[hardware]\ngpu = \"h200-sxm\"\n[[stream]]\ncount = 2\n"),
            "test.toml:3:1: stream.0.name: got nothing, wanted a name (name of the stream, or of "
            "the group)");
}

TEST(ScenarioMistake, OfAMissingUnitShowsOne) {
  EXPECT_EQ(mistake_in(scenario_with("{ host_work = \"20\" }")),
            "test.toml:12:24: thread.t.steps.0.host_work: got \"20\" without a unit, wanted a "
            "duration with its unit, such as \"2.5 us\"");
  EXPECT_EQ(mistake_in(scenario_with("{ host_work = 20 }")),
            "test.toml:12:24: thread.t.steps.0.host_work: got the integer 20, wanted a duration "
            "with its unit, such as \"2.5 us\"");
}

TEST(ScenarioMistake, OfAForeignUnitSaysWhatItMeasures) {
  EXPECT_EQ(mistake_in(scenario_with("{ copy = \"5 us\" }")),
            "test.toml:12:19: thread.t.steps.0.copy: got \"5 us\", a duration, wanted a size with "
            "its unit, such as \"228 KiB\"");
}

TEST(ScenarioMistake, OfAMistypedUnitSuggestsTheRightOne) {
  EXPECT_EQ(mistake_in(scenario_with("{ copy = \"5 kib\" }")),
            "test.toml:12:19: thread.t.steps.0.copy: got \"5 kib\", wanted a size with its unit, "
            "such as \"228 KiB\" (did you mean \"5 KiB\" or \"5 Kibit\"?)");
}

TEST(ScenarioMistake, OfAValueOutOfRangeGivesTheRange) {
  EXPECT_EQ(mistake_in("[hardware]\ngpu = \"h200-sxm\"\ngpus = 0\n"),
            "test.toml:3:8: hardware.gpus: got the integer 0, wanted a whole number from 1 to "
            "1048576");
  EXPECT_EQ(mistake_in("[hardware]\ngpu = \"h200-sxm\"\ngpus = 1\nconnections = 33\n"),
            "test.toml:4:15: hardware.connections: got 33, wanted at most 32 on this GPU");
  EXPECT_EQ(mistake_in("[hardware]\ngpu = \"h200-sxm\"\n[host]\nlaunch_cost = \"2 s\"\n"),
            "test.toml:4:15: host.launch_cost: got \"2 s\", wanted a duration from 0 ps to 1 s");
}

// Times end at 2^63 - 1 ps, 9223372 s.
TEST(ScenarioMistake, OfWorkBeyondTheLastInstantStandsAtItsStep) {
  const std::string end = " is out of range: times end at 9223372.036854775807 s, after 106 days";
  EXPECT_EQ(mistake_in(scenario_with("{ host_work = \"3600 s\", times = 2562 }")), "no mistake");
  EXPECT_EQ(mistake_in(scenario_with("{ host_work = \"3600 s\", times = 2563 }")),
            "test.toml:12:24: thread.t.steps.0.host_work: a time of 9223200 s + 3600 s" + end);
  // At 55 GB/s (h200-sxm) 500 PB take 9.1 * 10^6 s.
  EXPECT_EQ(mistake_in(scenario_with("{ copy = \"500 PB\" }")), "no mistake");
  EXPECT_TRUE(mistake_in(scenario_with("{ copy = \"600 PB\" }"))
                  .starts_with("test.toml:12:19: thread.t.steps.0.copy: a time of 1.0"));
  EXPECT_TRUE(mistake_in(scenario_with("{ copy = \"1 B\", duration = \"5e6 s\", times = 2 }"))
                  .starts_with("test.toml:12:19: thread.t.steps.0.copy: a time of 5000000 s"));
  EXPECT_EQ(mistake_in(scenario_with("{ api = \"a\", cost = \"5e6 s\", times = 2 }")),
            "test.toml:12:18: thread.t.steps.0.api: a time of 5000000 s + 5000000 s" + end);
}

TEST(ScenarioMistake, OfTypeNamesBothTypes) {
  EXPECT_EQ(mistake_in("[hardware]\ngpu = 200\n"),
            "test.toml:2:7: hardware.gpu: got the integer 200, wanted the name of a profile");
  EXPECT_EQ(mistake_in("name = [1]\n[hardware]\ngpu = \"h200-sxm\"\n"),
            "test.toml:1:8: name: got a list, wanted a string");
  EXPECT_EQ(mistake_in("thread = 3\n[hardware]\ngpu = \"h200-sxm\"\n"),
            "test.toml:1:10: thread: got the integer 3, wanted a list of tables");
  EXPECT_EQ(mistake_in("[hardware]\ngpu = \"h200-sxm\"\n[run]\nseed = 1.5\n"),
            "test.toml:4:8: run.seed: got the number 1.5, wanted a whole number");
  EXPECT_EQ(mistake_in("[hardware]\ngpu = \"h200-sxm\"\n[run]\nseed = -1\n"),
            "test.toml:4:8: run.seed: got the integer -1, wanted a whole number from 0 to "
            "18446744073709551615");
}

TEST(ScenarioMistake, OfAnUnknownGpuListsTheProfiles) {
  EXPECT_EQ(mistake_in("[hardware]\ngpu = \"h20-sxm\"\n"),
            "test.toml:2:7: hardware.gpu: got \"h20-sxm\", wanted a GPU profile (" +
                gpu_names(shipped_profiles()) + ") (did you mean 'h200-sxm'?)");
}

TEST(ScenarioMistake, OfAnUnknownNameListsTheNames) {
  EXPECT_EQ(mistake_in(scenario_with("{ launch = \"kk\" }")),
            "test.toml:12:21: thread.t.steps.0.launch: got \"kk\", wanted the name of a kernel "
            "(k)");
}

TEST(ScenarioMistake, OfANameTakenTwicePointsAtTheFirst) {
  EXPECT_EQ(
      mistake_in("[hardware]\ngpu = \"h200-sxm\"\n[[stream]]\nname = \"s\"\n[[stream]]\n"
                 "name = \"s\"\n"),
      "test.toml:6:8: stream.s: got \"s\" for the second time, wanted another name (the first "
      "is at test.toml:4:8)");
}

TEST(ScenarioMistake, OfAStepThatDoesNothingOrTwoThings) {
  EXPECT_EQ(mistake_in(scenario_with("{ stream = \"s\" }")),
            "test.toml:12:10: thread.t.steps.0: got no action, wanted one of: launch, "
            "launch_graph, upload_graph, instantiate_graph, copy, memset, record, wait, "
            "synchronize_event, synchronize_stream, synchronize_device, collective, host_work, "
            "api, post, await, push, await_items, marker, repeat");
  EXPECT_EQ(mistake_in(scenario_with("{ launch = \"k\", record = \"e\" }")),
            "test.toml:12:35: thread.t.steps.0.record: got a second action besides 'launch', "
            "wanted a separate step for each");
}

TEST(ScenarioMistake, OfAKeyThatDoesNotGoWithTheStep) {
  EXPECT_EQ(mistake_in(scenario_with("{ launch = \"k\", pinned = true }")),
            "test.toml:12:26: thread.t.steps.0.pinned: got a key that 'launch' doesn't take, "
            "wanted one of: stream, times, duration, cost, label, programmatic");
}

TEST(ScenarioMistake, OfAKernelTooLargeForTheGpu) {
  const std::string start = "[hardware]\ngpu = \"h200-sxm\"\n[[kernel]]\nname = \"k\"\ngrid = 1\n";
  EXPECT_EQ(mistake_in(start + "block = [1024, 2]\n"),
            "test.toml:6:9: kernel.k.block: got 2048 threads, wanted at most 1024 on this GPU");
  EXPECT_EQ(mistake_in(start + "block = 32\nregisters = 256\n"),
            "test.toml:7:13: kernel.k.registers: got 256, wanted at most 255 on this GPU");
  // 227 KiB is the most that a block may have: one byte more is refused.
  EXPECT_EQ(mistake_in(start + "block = 32\ndynamic_shared = \"227 KiB\"\n"), "no mistake");
  EXPECT_EQ(
      mistake_in(start + "block = 32\ndynamic_shared = \"227 KiB\"\nstatic_shared = \"1 B\"\n"),
      "test.toml:7:18: kernel.k.dynamic_shared: got 1 B static and 227 KiB dynamic, wanted "
      "together at most 227 KiB on this GPU");
}

TEST(ScenarioMistake, OfAGridThatIsNoGrid) {
  const std::string start = "[hardware]\ngpu = \"h200-sxm\"\n[[kernel]]\nname = \"k\"\nblock = 1\n";
  EXPECT_EQ(mistake_in(start + "grid = [1, 0]\n"),
            "test.toml:6:12: kernel.k.grid: got the integer 0, wanted a whole number of at least "
            "1");
  EXPECT_EQ(mistake_in(start + "grid = [1, 1, 1, 1]\n"),
            "test.toml:6:8: kernel.k.grid: got a list, wanted a whole number or a list of up to "
            "three");
}

TEST(ScenarioMistake, OfARecordedKernelWithoutADuration) {
  const std::string more = "[[kernel]]\nname = \"r\"\ngrid = 1\nblock = 1\n";
  EXPECT_EQ(mistake_in(scenario_with("{ launch = \"r\" }", more)),
            "test.toml:16:10: thread.t.steps.0: got nothing, wanted a duration here, or "
            "block_time, segments, op or duration in kernel 'r'");
  EXPECT_EQ(mistake_in(scenario_with("{ launch = \"r\", duration = \"3 us\" }", more)),
            "no mistake");
}

TEST(ScenarioMistake, OfAKernelThatDoesTwoThings) {
  const std::string kernel = "[[kernel]]\nname = \"r\"\ngrid = 1\nblock = 1\n";
  EXPECT_EQ(mistake_in(scenario_with("", kernel + "block_time = \"1 us\"\nsegments = [{}]\n")),
            "test.toml:15:12: kernel.r.segments: got segments besides block_time, wanted one of "
            "the two");
  EXPECT_EQ(mistake_in(scenario_with("", kernel + "segments = []\n")),
            "test.toml:14:12: kernel.r.segments: got an empty list, wanted at least one segment");
  EXPECT_EQ(mistake_in(scenario_with("", kernel + "once = 5\n")),
            "test.toml:14:8: kernel.r.once: got a kernel without segments, wanted both");
}

TEST(ScenarioMistake, OfALaunchThatCudaRefuses) {
  const auto kernel = [](const std::string& shape) {
    return scenario_with("", "[[kernel]]\nname = \"r\"\n" + shape);
  };
  EXPECT_EQ(mistake_in(kernel("grid = [1, 65536]\nblock = 1\n")),
            "test.toml:12:8: kernel.r.grid: got 1 x 65536 x 1, wanted at most 2147483647 x 65535 x "
            "65535");
  EXPECT_EQ(mistake_in(kernel("grid = 1\nblock = [1, 1, 65]\n")),
            "test.toml:13:9: kernel.r.block: got 1 x 1 x 65, wanted at most 1024 x 1024 x 64");
}

TEST(ScenarioMistake, InAWhatIfIsLocatedAtItsLine) {
  const Configuration base = configuration_of(scenario_with(
      "{ launch = \"k\" }", "[[what_if]]\nname = \"w\"\nset = { \"kernel.k.gird\" = 2 }\n"));
  EXPECT_EQ(mistake([&] { variations_of(base); }),
            "test.toml:12:9: kernel.k.gird: got an unknown key, wanted one of: name, grid, block, "
            "registers, static_shared, dynamic_shared, once, wave, cluster, arguments, block_time, "
            "by_clock, prologue, duration, queue, items, segments, op (did you mean 'grid'?)");
}

TEST(ScenarioMistake, AWhatIfThatChangesNothingIsOne) {
  EXPECT_EQ(
      mistake_in(scenario_with("{ launch = \"k\" }", "[[what_if]]\nname = \"w\"\n")),
      "test.toml:10:1: what_if.w: got neither `set` nor `change`, wanted one or both of them");
}

}  // namespace
}  // namespace septet::config
