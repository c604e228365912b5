#include "models/workload/recorded/xspace/xspace_reader.hpp"

#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <protozero/pbf_writer.hpp>

#include "models/workload/recorded/import/importer.hpp"
#include "models/workload/recorded/recorded_reader.hpp"
#include "tests/models/workload/recorded/kineto/trace_file.hpp"

namespace septet::test {
namespace {

using Writer = protozero::pbf_writer;

std::string message(const std::function<void(Writer&)>& fill) {
  std::string out;
  Writer writer(out);
  fill(writer);
  return out;
}

// An entry of a map from ids to names.
std::string named(std::int64_t id, const std::string& name) {
  return message([&](Writer& entry) {
    entry.add_int64(1, id);
    entry.add_message(2, message([&](Writer& metadata) {
                        metadata.add_int64(1, id);
                        metadata.add_string(2, name);
                      }));
  });
}

std::string stat(std::int64_t id, std::int64_t number) {
  return message([&](Writer& writer) {
    writer.add_int64(1, id);
    writer.add_uint64(3, static_cast<std::uint64_t>(number));
  });
}

std::string text_stat(std::int64_t id, const std::string& text) {
  return message([&](Writer& writer) {
    writer.add_int64(1, id);
    writer.add_string(5, text);
  });
}

std::string event(std::int64_t name, std::int64_t offset_ps, std::int64_t duration_ps,
                  const std::vector<std::string>& stats) {
  return message([&](Writer& writer) {
    writer.add_int64(1, name);
    writer.add_int64(2, offset_ps);
    writer.add_int64(3, duration_ps);
    for (const std::string& each : stats) writer.add_message(4, each);
  });
}

std::string line(std::int64_t id, const std::string& name, const std::string& one_event) {
  return message([&](Writer& writer) {
    writer.add_int64(1, id);
    writer.add_string(2, name);
    writer.add_int64(3, 1000);  // ns
    writer.add_message(4, one_event);
  });
}

std::string plane(const std::string& name, const std::string& one_line,
                  const std::string& event_name) {
  return message([&](Writer& writer) {
    writer.add_string(2, name);
    writer.add_message(3, one_line);
    writer.add_message(4, named(1, event_name));
    writer.add_message(5, named(1, "correlation_id"));
    writer.add_message(5, named(2, "kernel_details"));
  });
}

// A launch from 1 to 3 us on thread 701, its kernel from 8 to 18 us on stream 16 of GPU 2.
std::string profile() {
  const std::string details =
      "regs:32 static_shared:16 dynamic_shared:0 grid:512,2,1 block:256,1,1 occ_pct:100";
  return message([&](Writer& space) {
    space.add_message(1,
                      plane("/host:CPU", line(701, "worker", event(1, 0, 2'000'000, {stat(1, 12)})),
                            "cuLaunchKernel"));
    space.add_message(
        1, plane("/device:GPU:2",
                 line(16, "Stream #16(Compute)",
                      event(1, 7'000'000, 10'000'000, {stat(1, 12), text_stat(2, details)})),
                 "loop_add_fusion"));
    space.add_message(1, plane("/device:TPU:0", line(1, "Steps", event(1, 0, 1, {})), "step"));
  });
}

recorded::RecordedTrace read(const std::string& content) {
  const TemporaryDirectory directory;
  return recorded::read_recorded(directory.write("vm.xplane.pb", content));
}

std::string refusal(const std::string& content) {
  const TemporaryDirectory directory;
  try {
    recorded::read_xspace(directory.write("vm.xplane.pb", content));
    return "";
  } catch (const ConfigError& error) {
    return std::string(error.what()).substr(directory.path().string().size() + 1);
  }
}

TEST(XSpaceReader, ReadsALaunchAndItsKernel) {
  const recorded::RecordedTrace trace = read(profile());
  ASSERT_EQ(trace.events.size(), 2U);
  const recorded::RecordedEvent& call = trace.events[0];
  EXPECT_EQ(call.kind, recorded::RecordedKind::kApiCall);
  EXPECT_EQ(call.api, recorded::ApiKind::kLaunch);
  EXPECT_EQ(call.duration, 2_us);
  EXPECT_EQ(trace.threads.at(call.thread).name, "worker");
  const recorded::RecordedEvent& kernel = trace.events[1];
  EXPECT_EQ(kernel.start - call.start, 7_us);
  EXPECT_EQ(kernel.duration, 10_us);
  EXPECT_EQ(kernel.device, 2);
  EXPECT_EQ(kernel.stream, 16);
  EXPECT_EQ(kernel.correlation, call.correlation);
  EXPECT_EQ(trace.text(kernel.name), "loop_add_fusion");
  const auto* activity = trace.activity<recorded::KernelActivity>(kernel);
  ASSERT_NE(activity, nullptr);
  EXPECT_EQ(activity->shape.blocks(), 1024U);
  EXPECT_EQ(activity->shape.registers_per_thread, 32U);
  EXPECT_EQ(activity->shape.dynamic_shared, Bytes(16));
  EXPECT_EQ(trace.origin_ns, 1000);
  EXPECT_EQ(trace.unused.at("plane /device:TPU:0"), 1U);
}

TEST(XSpaceReader, ReadsAGzipFile) { EXPECT_EQ(read(gzip(profile())).events.size(), 2U); }

TEST(XSpaceReader, RefusesAProfileWithoutAGpu) {
  const std::string host_only = message([&](Writer& space) {
    space.add_message(1, plane("/host:CPU", line(1, "t", event(1, 0, 1, {})), "f"));
  });
  EXPECT_EQ(refusal(host_only),
            "vm.xplane.pb: an XSpace profile without a GPU (no plane /device:GPU:N)");
}

TEST(XSpaceReader, RefusesATruncatedFile) {
  const std::string whole = profile();
  EXPECT_TRUE(refusal(whole.substr(0, whole.size() - 3))
                  .starts_with("vm.xplane.pb: the XSpace file is damaged or truncated"));
}

TEST(XSpaceReader, ReadsOrRefusesDamage) {
  const std::string whole = profile();
  std::mt19937_64 random(20261201);
  int refused = 0;
  for (int round = 0; round < 500; ++round) {
    std::string damaged = whole;
    damaged[random() % damaged.size()] = static_cast<char>(random());
    refused += refusal(damaged).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 500);
}

TEST(XSpaceReader, AChromeTraceOfJaxIsNamed) {
  EXPECT_NE(error_of(R"({"traceEvents": [{"ph": "M", "pid": 1, "name": "process_name",
                         "args": {"name": "/device:GPU:0"}}]})")
                .find("this looks like a trace of JAX or TensorFlow"),
            std::string::npos);
}

}  // namespace
}  // namespace septet::test
