// What entries of a Kineto trace become: kinds, places, activities, flows, names.
#include <gtest/gtest.h>

#include "tests/models/workload/recorded/kineto/trace_file.hpp"

namespace septet::test {
namespace {

template <class T>
const T& activity(const recorded::RecordedTrace& trace, std::size_t event) {
  return std::get<T>(trace.activities.at(trace.events.at(event).activity));
}

const program::LaunchShape& shape(const recorded::RecordedTrace& trace, std::size_t event) {
  return activity<recorded::KernelActivity>(trace, event).shape;
}

std::string slice(const std::string& category, const std::string& more = "") {
  return R"({"ph": "X", "cat": ")" + category + R"(", "name": "n", "ts": 1, "dur": 1)" + more + "}";
}

TEST(KinetoEntries, AreOfTheKindThatTheirCategorySays) {
  const std::vector<std::pair<std::string, recorded::RecordedKind>> expected = {
      {"cpu_op", recorded::RecordedKind::kCpuOp},
      {"Operator", recorded::RecordedKind::kCpuOp},
      {"user_annotation", recorded::RecordedKind::kAnnotation},
      {"cuda_runtime", recorded::RecordedKind::kApiCall},
      {"cuda_driver", recorded::RecordedKind::kApiCall},
      {"Runtime", recorded::RecordedKind::kApiCall},
      {"kernel", recorded::RecordedKind::kKernel},
      {"Kernel", recorded::RecordedKind::kKernel},
      {"gpu_memcpy", recorded::RecordedKind::kCopy},
      {"Memcpy", recorded::RecordedKind::kCopy},
      {"gpu_memset", recorded::RecordedKind::kMemset},
      {"Memset", recorded::RecordedKind::kMemset},
      {"cuda_sync", recorded::RecordedKind::kSync},
      {"cuda_event", recorded::RecordedKind::kSync},
      {"overhead", recorded::RecordedKind::kOverhead}};
  for (const auto& [category, kind] : expected) {
    const recorded::RecordedTrace trace = read_entries(slice(category));
    ASSERT_EQ(trace.events.size(), 1U) << category;
    EXPECT_EQ(trace.events[0].kind, kind) << category;
  }
}

TEST(KinetoEntries, WithoutUseAreCountedByWhatTheyAre) {
  const recorded::RecordedTrace trace =
      read_entries(slice("python_function") + "," + slice("gpu_user_annotation") + "," +
                   slice("never heard of") + R"(, {"ph": "X", "ts": 1, "name": "n"},
      {"ph": "C", "ts": 1}, {"ph": "s", "cat": "ac2g", "id": 1}, {"ph": "?"}, {"ph": 7}, {}, )" +
                   slice("python_function"));
  EXPECT_TRUE(trace.events.empty());
  EXPECT_EQ(trace.entries, 10U);
  const std::map<std::string, std::uint64_t> expected = {{"category python_function", 2},
                                                         {"category gpu_user_annotation", 1},
                                                         {"category never heard of", 1},
                                                         {"category missing", 1},
                                                         {"phase C", 1},
                                                         {"flow ac2g", 1},
                                                         {"phase ?", 1},
                                                         {"phase 7", 1},
                                                         {"phase missing", 1}};
  EXPECT_EQ(trace.unused, expected);
}

TEST(KinetoEntries, OfKernelsCarryTheLaunch) {
  const recorded::RecordedTrace trace = read_entries(
      kernel("1", R"("grid": [3, 4, 5], "block": [128, 2, 1], "registers per thread": 40,
      "shared memory": 1024, "graph id": 12, "graph node id": 51539607552, "priority": -5,
      "Collective name": "allreduce", "In msg nelems": 6637568, "Group size": 8)"));
  const auto& launch = activity<recorded::KernelActivity>(trace, 0);
  EXPECT_EQ(launch.shape.grid, (program::Dim3{3, 4, 5}));
  EXPECT_EQ(launch.shape.block, (program::Dim3{128, 2, 1}));
  EXPECT_EQ(launch.shape.registers_per_thread, 40U);
  EXPECT_EQ(launch.shape.dynamic_shared, 1024_B);
  EXPECT_EQ(launch.gpu.graph, 12U);
  EXPECT_EQ(launch.gpu.graph_node, 51539607552U);
  EXPECT_EQ(launch.gpu.priority, -5);
  EXPECT_EQ(launch.collective.op, program::CollectiveOp::kAllReduce) << "whatever its own name";
  EXPECT_EQ(trace.text(launch.collective.name), "allreduce");
  EXPECT_EQ(launch.collective.elements, 6637568);
  EXPECT_EQ(launch.collective.group_size, 8);
  EXPECT_EQ(trace.events[0].stream, 7);
  EXPECT_EQ(trace.events[0].device, 0);
  EXPECT_EQ(trace.events[0].correlation, 5U);
  EXPECT_EQ(trace.text(trace.events[0].name), "gemm");
}

TEST(KinetoEntries, ShareEqualActivities) {
  const recorded::RecordedTrace trace =
      read_entries(kernel("1", R"("grid": [1, 1, 1], "block": [32, 1, 1])") + "," +
                   kernel("2", R"("block": [32, 1, 1], "grid": [1, 1, 1])") + "," +
                   kernel("3", R"("grid": [2, 1, 1], "block": [32, 1, 1])"));
  EXPECT_EQ(trace.activities.size(), 2U);
  EXPECT_EQ(trace.events[0].activity, trace.events[1].activity);
  EXPECT_NE(trace.events[0].activity, trace.events[2].activity);
}

TEST(KinetoEntries, OfKernelsWithoutAReadableGridHaveNone) {
  for (const char* odd :
       {R"("grid": [1, 2], "block": [1, 1, 1])", R"("grid": [1, 1, 1, 1], "block": [1, 1, 1])",
        R"("grid": [1, [1], 1], "block": [1, 1, 1])", R"("grid": [1, -1, 1], "block": [1, 1, 1])",
        R"("grid": [1, 4294967296, 1], "block": [1, 1, 1])",
        R"j("grid": "grid(100,)", "block": [1, 1, 1])j",
        R"("grid": {"x": 1}, "block": [1, 1, 1])"}) {
    const recorded::RecordedTrace trace = read_entries(kernel("1", odd));
    EXPECT_EQ(shape(trace, 0).grid, (program::Dim3{0, 0, 0})) << odd;
    EXPECT_EQ(anomaly(trace, "kernels without a grid"), 1U) << odd;
  }
  EXPECT_EQ(anomaly(read_entries(kernel("1")), "kernels without a grid"), 1U);
}

TEST(KinetoEntries, OfSynchronisationSayWhatIsWaitedFor) {
  const recorded::RecordedTrace trace = read_entries(
      slice("cuda_sync", R"(, "args": {"cuda_sync_kind": "Stream Wait Event", "stream": 20,
      "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 5169, "correlation": 5170})") +
      "," + slice("cuda_sync", R"(, "args": {"cuda_sync_kind": "Context Sync", "stream": -1,
      "wait_on_stream": -1, "wait_on_cuda_event_record_corr_id": -1})") +
      "," + slice("cuda_event", R"(, "args": {"stream": 9, "correlation": 5169})"));
  EXPECT_EQ(trace.events[0].stream, 20);
  EXPECT_EQ(activity<recorded::SyncActivity>(trace, 0),
            (recorded::SyncActivity{.record_correlation = 5169, .stream = 7}));
  EXPECT_EQ(trace.events[1].stream, recorded::kNoStream);
  EXPECT_EQ(activity<recorded::SyncActivity>(trace, 1), recorded::SyncActivity{});
  EXPECT_EQ(trace.events[2].stream, 9);
}

std::string named(const std::string& category, const std::string& name) {
  return R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name +
         R"(", "ts": 1, "dur": 1})";
}

TEST(KinetoEntries, OfApiCallsSayWhatTheyDo) {
  const recorded::RecordedTrace trace = read_entries(
      named("cuda_runtime", "cudaMemcpyAsync") + "," + named("cuda_driver", "cuLaunchKernelEx") +
      "," + named("cuda_runtime", "cudaMalloc") + "," + named("cpu_op", "cudaLaunchKernel"));
  EXPECT_EQ(trace.events[0].api, recorded::ApiKind::kCopy);
  EXPECT_EQ(trace.events[1].api, recorded::ApiKind::kLaunch);
  EXPECT_TRUE(trace.events[1].programmatic);
  EXPECT_EQ(trace.events[2].api, recorded::ApiKind::kOther);
  EXPECT_EQ(trace.events[3].api, recorded::ApiKind::kOther);  // an operator of that name
}

TEST(KinetoEntries, OfCopiesSayDirectionAndHostMemory) {
  const recorded::RecordedTrace trace =
      read_entries(named("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)") + "," +
                   named("gpu_memcpy", "Memcpy DtoD (Device -> Device)") + "," +
                   named("gpu_memcpy", "something else"));
  EXPECT_EQ(activity<recorded::CopyActivity>(trace, 0).direction,
            program::CopyDirection::kDeviceToHost);
  EXPECT_FALSE(activity<recorded::CopyActivity>(trace, 0).pinned);
  EXPECT_EQ(activity<recorded::CopyActivity>(trace, 1).direction,
            program::CopyDirection::kDeviceToDevice);
  EXPECT_TRUE(activity<recorded::CopyActivity>(trace, 1).pinned);
  EXPECT_EQ(activity<recorded::CopyActivity>(trace, 2).direction, std::nullopt);
}

TEST(KinetoEntries, OfCopiesAndMemsetsCarryTheirBytes) {
  const recorded::RecordedTrace trace =
      read_entries(slice("gpu_memcpy", R"(, "args": {"bytes": 4294967297})") + "," +
                   slice("Memset", R"j(, "args": {"bytes": 8, "memory bandwidth (GB/s)": inf})j"));
  EXPECT_EQ(activity<recorded::CopyActivity>(trace, 0).bytes, Bytes(4294967297));
  EXPECT_EQ(activity<recorded::MemsetActivity>(trace, 1).bytes, 8_B);
  EXPECT_EQ(anomaly(trace, "inf or nan, treated as missing"), 1U);
}

TEST(KinetoEntries, KeepAllDigitsOfIds) {
  const std::string max = "18446744073709551615";
  const recorded::RecordedTrace trace =
      read_entries(slice("kernel", R"(, "args": {"correlation": 9007199254740993})") + "," +
                   slice("kernel", R"(, "args": {"correlation": "9007199254740995"})") + "," +
                   slice("kernel", R"(, "args": {"correlation": )" + max + "}"));
  EXPECT_EQ(trace.events[0].correlation, 9007199254740993U);
  EXPECT_EQ(trace.events[1].correlation, 9007199254740995U);
  EXPECT_EQ(trace.events[2].correlation, 18446744073709551615U);
}

TEST(KinetoEntries, WithoutACorrelationSayNone) {
  for (const std::string none :
       {"{}", R"({"correlation": -1})", R"({"correlation": 4294967295})", R"({"correlation": 0})",
        R"({"correlation": "none"})", R"({"correlation": null})"}) {
    const recorded::RecordedTrace trace =
        read_entries(slice("kernel", ", \"args\": " + none) + "," +
                     slice("cuda_runtime", ", \"args\": " + none));
    EXPECT_EQ(trace.events[0].correlation, recorded::kNoCorrelation) << none;
    EXPECT_EQ(anomaly(trace, "GPU work without a correlation"), 1U) << none;
    EXPECT_EQ(anomaly(trace, "API calls without a correlation"), 1U) << none;
  }
}

TEST(KinetoEntries, TakeStreamAndDeviceFromPidAndTidWhenArgsHaveNone) {
  const recorded::RecordedTrace trace =
      read_entries(slice("Kernel", R"(, "pid": 3, "tid": "stream 21")"));
  EXPECT_EQ(trace.events[0].device, 3);
  EXPECT_EQ(trace.events[0].stream, 21);
  ASSERT_EQ(trace.devices.size(), 1U);
  EXPECT_EQ(trace.devices[0].id, 3);
  EXPECT_EQ(anomaly(trace, "devices without properties"), 1U);
}

TEST(KinetoEntries, OfImpossibleDevicesHaveNone) {
  for (const std::string id : {"65535", "4294967295", "-1", "99999999999999999999"}) {
    const recorded::RecordedTrace trace =
        read_entries(slice("kernel", R"(, "args": {"device": )" + id + "}"));
    EXPECT_EQ(trace.events[0].device, recorded::kNoDevice) << id;
    EXPECT_TRUE(trace.devices.empty()) << id;
    EXPECT_EQ(anomaly(trace, "events of a device beyond 65534") +
                  anomaly(trace, "GPU events without a device"),
              1U)
        << id;
  }
  EXPECT_EQ(read_entries(slice("kernel", R"(, "args": {"device": 65534})")).events[0].device,
            65534);
}

TEST(KinetoEntries, OfMetadataNameThreadsWhereverTheyStand) {
  const std::string name =
      R"({"ph": "M", "name": "thread_name", "pid": 1, "tid": "2", "args": {"name": "main"}})";
  const std::string process =
      R"({"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "python"}})";
  const std::string other = R"({"ph": "X", "cat": "cpu_op", "ts": 2, "pid": 1, "tid": "x"})";
  for (const std::string& text :
       {name + "," + process + "," + operation(R"("ts": 1)") + "," + other,
        operation(R"("ts": 1)") + "," + other + "," + process + "," + name}) {
    const recorded::RecordedTrace trace = read_entries(text);
    ASSERT_EQ(trace.threads.size(), 2U);
    EXPECT_EQ(trace.threads[0].name, "main");
    EXPECT_EQ(trace.threads[0].thread, 2);
    EXPECT_EQ(trace.threads[1].name, "python");  // its process's, having none of its own
  }
}

TEST(KinetoEntries, WithAKeyTwiceTakeTheLast) {
  const recorded::RecordedTrace trace = read_entries(operation(R"("ts": 1, "dur": 3, "dur": 4)"));
  EXPECT_EQ(trace.events[0].duration, 4_us);
  EXPECT_EQ(anomaly(trace, "entries with a duplicate key (the last one is used)"), 1U);
}

TEST(KinetoEntries, SurviveUnknownNestedArguments) {
  const recorded::RecordedTrace trace = read_entries(
      kernel("1", R"("a": {"correlation": 99, "b": [{"stream": 3}, [[]]]}, "Input Dims": [[1], []],
      "grid": [1, 1, 1], "c": null, "d": true, "block": [1, 1, 1])"));
  EXPECT_EQ(trace.events[0].correlation, 5U);
  EXPECT_EQ(trace.events[0].stream, 7);
  EXPECT_EQ(shape(trace, 0).blocks(), 1U);
}

TEST(KinetoEntries, ThatAreNoObjectsAreCounted) {
  const recorded::RecordedTrace trace =
      read_entries(R"(1, "two", null, [{"ph": "X"}], true, )" + operation(R"("ts": 1)"));
  EXPECT_EQ(trace.events.size(), 1U);
  EXPECT_EQ(anomaly(trace, "entries that are not objects"), 5U);
}

TEST(KinetoEntries, ShareTheirNames) {
  const recorded::RecordedTrace trace = read_entries(kernel("1") + "," + kernel("2"));
  EXPECT_EQ(trace.events[0].name, trace.events[1].name);
  EXPECT_EQ(trace.strings.size(), 1U);
}

}  // namespace
}  // namespace septet::test
