// Trace files of simulated programs, for the tests of their reader.
#pragma once

#include <string>

#include "core/trace/hdf5_writer.hpp"
#include "models/program/builder.hpp"
#include "models/workload/recorded/import/importer.hpp"
#include "models/workload/recorded/recorded_reader.hpp"
#include "scenarios/replay/recorded_system.hpp"
#include "scenarios/replay/start_error.hpp"
#include "scenarios/study/recording_study.hpp"
#include "scenarios/system/trace_file.hpp"

namespace septet::test {

// Every latency has a value of its own, so that one taken for another shows.
inline system::SystemSpec plain_system() {
  system::SystemSpec system;
  system.gpu.name = "test GPU";
  system.gpu.sm_count = 4;
  gpu::FrontEndSpec& front = system.gpu.front_end;
  front.doorbell_latency = 1_us;
  front.launch_latency = 2_us;
  front.copy_launch_latency = 1500_ns;
  front.memset_launch_latency = 1700_ns;
  front.graph_launch_latency = 2600_ns;
  front.stream_gap = 1100_ns;
  front.graph_gap = 1900_ns;
  front.graph_node_gap = 700_ns;
  front.event_wait_latency = 1300_ns;
  front.engine_hop = 900_ns;
  front.completion_latency = 1_us;
  system.gpu.sm.shared_memory = 228_KiB;
  system.gpu.sm.shared_per_block_max = 227_KiB;
  system.gpu.sm.shared_allocation_unit = 128_B;
  system.gpu.l2 = 50_MiB;
  gpu::CopySpec& copy = system.gpu.copy;
  copy.host_to_device_latency = 1_us;
  copy.device_to_host_latency = 1200_ns;
  copy.device_to_device_latency = 2_us;
  copy.memset_latency = 1_us;
  copy.staging_chunk = 64_KiB;
  copy.host_to_device = copy.device_to_host = ByteRate(50'000'000'000);
  copy.device_to_device = copy.device_to_device_in_l2 = ByteRate(2'000'000'000'000);
  copy.memset = copy.memset_in_l2 = ByteRate(2'000'000'000'000);
  host::HostSpec& host = system.host;
  host.launch_cost = 4_us;
  host.programmatic_launch_cost = 5_us;
  host.graph_launch_cost = 6_us;
  host.graph_instantiate_cost = 30_us;
  host.graph_upload_cost = 8_us;
  host.copy_cost = 3_us;
  host.device_copy_cost = 3500_ns;
  host.memset_cost = 3200_ns;
  host.record_cost = 500_ns;
  host.wait_cost = 600_ns;
  host.synchronize_cost = 800_ns;
  host.api_cost = 2_us;
  host.inline_copy_rate = host.pageable_copy_rate = ByteRate(10'000'000'000);
  host.pageable_cached_rate = host.pageable_read_rate = ByteRate(10'000'000'000);
  host.wake_latency = 1_us;
  host.pending_launches_max = 1000;
  return system;
}

inline std::string write_trace(const program::Program& program, const system::SystemSpec& spec,
                               const std::string& path) {
  system::System system(program, spec);
  trace::Hdf5Writer writer(path, system.trace().schema);
  describe_run(system, writer);
  engine::RunOptions options;
  options.rows = &writer;
  system.run(options);
  writer.finish();
  return path;
}

// A trace file read, imported and replayed.
struct Retraced {
  recorded::RecordedTrace trace;
  recorded::Import import;
  analysis::RunSummary summary;
  replay::StartError start_error;
};

inline Retraced retrace(const std::string& path, const system::SystemSpec& spec) {
  Retraced out;
  out.trace = recorded::read_recorded(path);
  out.import = import_recording(out.trace);
  study::Study study(
      study::recorded_case(path, out.import.program, out.import.latencies, spec, {}));
  out.start_error = replay::start_error(out.import, study.run_baseline());
  out.summary = study.result().baseline.summary;
  return out;
}

}  // namespace septet::test
