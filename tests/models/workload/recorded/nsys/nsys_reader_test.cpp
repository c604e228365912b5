#include "models/workload/recorded/nsys/nsys_reader.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "models/workload/recorded/import/importer.hpp"
#include "tests/models/workload/recorded/nsys/made_export.hpp"

namespace septet::test {
namespace {

using recorded::RecordedEvent;
using recorded::RecordedKind;

const RecordedEvent& first_of(const recorded::RecordedTrace& trace, RecordedKind kind) {
  for (const RecordedEvent& event : trace.events) {
    if (event.kind == kind) return event;
  }
  throw std::runtime_error("no such event");
}

// A launch from 1,000 to 1,006 us on thread 8 of process 5; its kernel from 1,010 to 1,030 us on
// stream 7 of device 1. Times in nanoseconds.
MadeExport& with_a_kernel(MadeExport& made) {
  return made.strings()
      .run(
          "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
          "correlationId, globalPid, demangledName, shortName, registersPerThread, gridX, gridY, "
          "gridZ, blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, graphNodeId)")
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1010000, 1030000, 1, 1, 7, 42, " +
           std::to_string(global_thread(5, 0)) +
           ", 1, 2, 32, 132, 2, 1, 256, 1, 1, 1024, 2048, NULL)")
      .run(
          "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, "
          "nameId)")
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000000, 1006000, " +
           std::to_string(global_thread(5, 8)) + ", 42, 3)");
}

TEST(NsysReader, ReadsALaunchAndItsKernel) {
  MadeExport made;
  const recorded::RecordedTrace trace = with_a_kernel(made).read();
  ASSERT_EQ(trace.events.size(), 2U);
  const RecordedEvent& call = trace.events[0];
  EXPECT_EQ(call.kind, RecordedKind::kApiCall);
  EXPECT_EQ(call.start - Instant(), 0_us);
  EXPECT_EQ(call.duration, 6_us);
  EXPECT_EQ(trace.text(call.name), "cudaLaunchKernel") << "without the version of the interface";
  EXPECT_EQ(call.api, recorded::ApiKind::kLaunch);
  EXPECT_EQ(trace.threads.at(call.thread).process, 5);
  EXPECT_EQ(trace.threads.at(call.thread).thread, 8);
  const RecordedEvent& kernel = trace.events[1];
  EXPECT_EQ(kernel.start - Instant(), 10_us);
  EXPECT_EQ(kernel.duration, 20_us);
  EXPECT_EQ(trace.text(kernel.name), "void gemm<float>(int)");
  EXPECT_EQ(kernel.correlation, call.correlation);
  EXPECT_EQ(kernel.device, 1);
  EXPECT_EQ(kernel.stream, 7);
  const auto* activity = trace.activity<recorded::KernelActivity>(kernel);
  ASSERT_NE(activity, nullptr);
  EXPECT_EQ(activity->shape.blocks(), 264U);
  EXPECT_EQ(activity->shape.threads_per_block(), 256U);
  EXPECT_EQ(activity->shape.registers_per_thread, 32U);
  EXPECT_EQ(activity->shape.dynamic_shared, Bytes(3072)) << "static and dynamic";
  EXPECT_EQ(trace.entries, 2U);
}

TEST(NsysReader, ImportsTheLaunchAsTheKernelsCause) {
  MadeExport made;
  const recorded::Import import = recorded::import_recording(with_a_kernel(made).read());
  ASSERT_EQ(import.rows.size(), 1U);
  EXPECT_EQ(import.measured, 30_us);
  EXPECT_FALSE(import.anomalies.contains("GPU work without its launch call"));
}

TEST(NsysReader, ReadsAGzipFile) {
  MadeExport made;
  with_a_kernel(made);
  std::ifstream plain(made.path(), std::ios::binary);
  std::stringstream content;
  content << plain.rdbuf();
  const TemporaryDirectory directory;
  const std::string packed = directory.write("step.sqlite.gz", gzip(content.str()));
  EXPECT_EQ(recorded::read_recorded(packed).events.size(), 2U);
}

TEST(NsysReader, NamesDevicesByTheProcesssNumbers) {
  MadeExport made;
  with_a_kernel(made)
      .run("CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId, cudaId, pid)")
      .run("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (3, 1, 5)")
      .run("CREATE TABLE TARGET_INFO_GPU (id, name, smCount)")
      .run("INSERT INTO TARGET_INFO_GPU VALUES (3, 'NVIDIA H100 80GB HBM3', 132)");
  const recorded::RecordedTrace trace = made.read();
  EXPECT_EQ(first_of(trace, RecordedKind::kKernel).device, 3);
  ASSERT_EQ(trace.devices.size(), 1U);
  EXPECT_EQ(trace.devices[0].id, 3);
  EXPECT_EQ(trace.devices[0].name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(trace.devices[0].sm_count, 132U);
}

TEST(NsysReader, KeepsCorrelationsAndStreamsOfProcessesApart) {
  MadeExport made;
  with_a_kernel(made)
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1011000, 1031000, 1, 2, 7, 42, " +
           std::to_string(global_thread(6, 0)) + ", 1, 2, 32, 1, 1, 1, 32, 1, 1, 0, 0, NULL)")
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1001000, 1007000, " +
           std::to_string(global_thread(6, 9)) + ", 42, 3)");
  const recorded::RecordedTrace trace = made.read();
  ASSERT_EQ(trace.events.size(), 4U);
  EXPECT_EQ(trace.events[0].correlation, trace.events[2].correlation);
  EXPECT_EQ(trace.events[1].correlation, trace.events[3].correlation);
  EXPECT_NE(trace.events[0].correlation, trace.events[1].correlation);
  EXPECT_EQ(trace.events[2].device, trace.events[3].device);
  EXPECT_NE(trace.events[2].stream, trace.events[3].stream);
}

TEST(NsysReader, ReadsCopiesByTheirCodes) {
  MadeExport made;
  with_a_kernel(made)
      .run(
          "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, "
          "correlationId, globalPid, bytes, copyKind, srcKind, dstKind)")
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1040000, 1042000, 1, 1, 7, 43, " +
           std::to_string(global_thread(5, 0)) + ", 4096, 2, 2, 0)");
  const recorded::RecordedTrace trace = made.read();
  const RecordedEvent& copy = first_of(trace, RecordedKind::kCopy);
  const auto* activity = trace.activity<recorded::CopyActivity>(copy);
  ASSERT_NE(activity, nullptr);
  EXPECT_EQ(trace.text(copy.name), "Memcpy DtoH (Device -> Pageable)");
  EXPECT_EQ(activity->bytes, Bytes(4096));
  EXPECT_EQ(activity->direction, program::CopyDirection::kDeviceToHost);
  EXPECT_FALSE(activity->pinned);
}

TEST(NsysReader, TakesTheCodeOfPageableMemoryFromTheFile) {
  MadeExport made;
  with_a_kernel(made)
      .run("CREATE TABLE ENUM_CUDA_MEM_KIND (id, name, label)")
      .run("INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, 'a', 'Unknown'), (1, 'b', 'Pageable')")
      .run(
          "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, streamId, "
          "correlationId, bytes, copyKind, srcKind, dstKind)")
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1040000, 1042000, 1, 7, 43, 8, 1, 0, 2)")
      .run(
          "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1050000, 1052000, 1, 7, 44, 8, 1, 1, 2)");
  const recorded::RecordedTrace trace = made.read();
  std::vector<std::string> names;
  for (const RecordedEvent& event : trace.events) {
    if (event.kind == RecordedKind::kCopy) names.emplace_back(trace.text(event.name));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"Memcpy HtoD (Pinned -> Device)",
                                             "Memcpy HtoD (Pageable -> Device)"}));
}

TEST(NsysReader, ReadsGraphsByNodeAndAsAWhole) {
  MadeExport made;
  with_a_kernel(made)
      .run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET graphNodeId = (9 << 32) + 4")
      .run(
          "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, contextId, "
          "streamId, correlationId, globalPid, graphId)")
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (2000000, 2500000, 1, 1, 7, 50, " +
           std::to_string(global_thread(5, 0)) + ", 11)");
  const recorded::RecordedTrace trace = made.read();
  const auto* node = trace.gpu_work(first_of(trace, RecordedKind::kKernel));
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(node->graph, 9U);
  EXPECT_EQ(node->graph_node & 0xFFFFFFFF, 4U);
  const RecordedEvent& whole = trace.events.back();
  EXPECT_EQ(trace.text(whole.name), "CUDA graph 11");
  EXPECT_EQ(whole.duration, 500_us);
}

TEST(NsysReader, TellsOperatorsOfPytorchFromOtherRanges) {
  MadeExport made;
  const std::string thread = std::to_string(global_thread(5, 8));
  with_a_kernel(made)
      .run("CREATE TABLE NVTX_EVENTS (start, end, eventType, text, textId, globalTid)")
      .run(
          "INSERT INTO NVTX_EVENTS VALUES (1000000, 1009000, 59, 'aten::mm, seq = 4, op_id = 9', "
          "NULL, " +
          thread + ")")
      .run("INSERT INTO NVTX_EVENTS VALUES (990000, 1040000, 59, NULL, 4, " + thread + ")")
      .run("INSERT INTO NVTX_EVENTS VALUES (995000, NULL, 34, 'mark', NULL, " + thread + ")");
  const recorded::RecordedTrace trace = made.read();
  EXPECT_EQ(trace.text(first_of(trace, RecordedKind::kCpuOp).name), "aten::mm");
  EXPECT_EQ(trace.text(first_of(trace, RecordedKind::kAnnotation).name), "worker");
  EXPECT_EQ(trace.unused.at("NVTX mark"), 1U);
}

TEST(NsysReader, TiesAWaitToTheRecordOfItsEvent) {
  MadeExport made;
  const std::string process = std::to_string(global_thread(5, 0));
  with_a_kernel(made)
      .run(
          "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (contextId, streamId, correlationId, "
          "globalPid, eventId, eventSyncId)")
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (1, 7, 60, " + process + ", 2, 8)")
      .run(
          "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start, end, deviceId, contextId, "
          "streamId, correlationId, globalPid, eventId, eventSyncId)")
      .run(
          "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1040000, 1041000, 0, 1, 7, "
          "61, " +
          process + ", 2, 8)");
  const recorded::RecordedTrace trace = made.read();
  const RecordedEvent& wait = first_of(trace, RecordedKind::kSync);
  EXPECT_EQ(wait.device, 1) << "that of the context: the column says 0";
  const auto* awaited = trace.activity<recorded::SyncActivity>(wait);
  ASSERT_NE(awaited, nullptr);
  EXPECT_EQ(awaited->record_correlation, 60U);
  EXPECT_EQ(awaited->stream, 7);
}

TEST(NsysReader, ReadsASchemaOfAFewColumns) {
  MadeExport made;
  made.strings()
      .run(
          "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, "
          "correlationId, shortName)")
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0, 5000, 0, 7, 1, 2)")
      .run(
          "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, globalTid, "
          "nameId)")
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (-3000, -500, 1, 1, 3)");
  const recorded::RecordedTrace trace = made.read();
  ASSERT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(trace.events[0].duration, from_us(2.5));
  EXPECT_EQ(trace.events[1].start - Instant(), 3_us);
  EXPECT_EQ(trace.text(trace.events[1].name), "gemm");
  EXPECT_EQ(trace.events[0].correlation, trace.events[1].correlation);
  EXPECT_EQ(trace.anomalies.at("kernels without a grid"), 1U);
}

TEST(NsysReader, CountsRowsWithoutATimeOrAName) {
  MadeExport made;
  with_a_kernel(made)
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (NULL, 5, 0, 1, 3)")
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES ('soon', 5, 0, 1, 3)")
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (9223372036854775807, 5, 0, 1, 3)")
      .run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1050000, 1040000, 0, 1, 99)");
  const recorded::RecordedTrace trace = made.read();
  EXPECT_EQ(trace.anomalies.at("rows skipped: no start"), 2U);
  EXPECT_EQ(trace.anomalies.at("rows skipped: start 26 days or more from the first one"), 1U);
  EXPECT_EQ(trace.anomalies.at("ends before their start, taken as no duration"), 1U);
  EXPECT_EQ(trace.anomalies.at("events without a name"), 1U);
}

}  // namespace
}  // namespace septet::test
