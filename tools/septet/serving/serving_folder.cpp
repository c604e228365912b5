#include "tools/septet/serving/serving_folder.hpp"

#include "core/trace/hdf5_writer.hpp"
#include "core/trace/small_table.hpp"
#include "models/records/request_record.hpp"
#include "models/records/serving_step_record.hpp"
#include "scenarios/serving/serving_workload.hpp"
#include "tools/septet/study/run_report.hpp"
#include "tools/septet/version/build_info.hpp"

namespace septet::command {
namespace {

using records::RequestRecord;

RequestRecord record_of(const requests::Request& request, const fleet::RequestOutcome& outcome) {
  RequestRecord out;
  out.arrived = outcome.arrived.value_or(RequestRecord::kNever);
  if (outcome.attempts > 0) {
    out.sent = outcome.sent;
    out.replica = static_cast<std::int32_t>(outcome.replica);
  }
  out.admitted = outcome.admitted.value_or(RequestRecord::kNever);
  out.prefilled = outcome.prefilled.value_or(RequestRecord::kNever);
  out.transferred = outcome.transferred.value_or(RequestRecord::kNever);
  if (outcome.fate == fleet::Fate::kCompleted) {
    out.first_token = outcome.first_token;
    out.finished = outcome.finished;
  }
  out.input_tokens = request.input_tokens;
  out.output_tokens = request.output_tokens;
  out.cached_tokens = outcome.cached_tokens;
  out.attempts = static_cast<std::int32_t>(outcome.attempts);
  out.preemptions = static_cast<std::int32_t>(outcome.preemptions);
  out.fate = outcome.fate;
  return out;
}

std::vector<trace::SummaryRow> summary_of(const fleet::FleetMetrics& metrics) {
  std::vector<trace::SummaryRow> out = {
      {"simulated", to_us(metrics.span), "us"},
      {"requests_offered", static_cast<double>(metrics.offered.requests), "1"},
      {"requests_completed", static_cast<double>(metrics.completed.requests), "1"}};
  for (const fleet::Latency latency : values_of<fleet::Latency>()) {
    const std::string name(text_of(latency));
    out.push_back({name + "_p50", to_us(metrics.of(latency).at(50)), "us"});
    out.push_back({name + "_p99", to_us(metrics.of(latency).at(99)), "us"});
  }
  return out;
}

}  // namespace

RunOrigin serving_origin(const std::filesystem::path& file,
                         const serving::ServingConfiguration& configuration,
                         const std::vector<std::string>& settings) {
  RunOrigin out;
  out.inputs = {input_record(file, "scenario"),
                input_record(configuration.engine_file, "engine profile")};
  for (const records::InputRecord& profile : profile_records(configuration.hardware)) {
    out.inputs.push_back(profile);
  }
  for (const std::filesystem::path& requests : files_of(configuration.text.arrivals)) {
    out.inputs.push_back(input_record(requests, "requests"));
  }
  out.gpu = configuration.hardware.gpu.name;
  out.host = configuration.hardware.host.name;
  out.seed = configuration.text.run.seed;
  for (const std::string& setting : settings) out.settings.push_back(without_folders(setting));
  return out;
}

void write_requests(const std::filesystem::path& folder, const RunOrigin& origin,
                    const serving::ServingConfiguration& configuration,
                    const requests::Workload& workload, const serving::ServingRun* run) {
  trace::TraceSchema schema;
  const trace::TableId table = schema.add(trace::table_of<RequestRecord>());
  const trace::TableId steps = schema.add(trace::table_of<records::ServingStepRecord>());
  trace::Hdf5Writer writer(folder / "trace.h5", schema, {build_info().version});
  writer.set_attribute("commit", build_info().commit);
  writer.set_attribute("seed", origin.seed);
  if (run != nullptr) {
    for (std::size_t i = 0; i < workload.requests.size(); ++i) {
      const RequestRecord row = record_of(workload.requests[i], run->result.requests[i]);
      writer.consume(table, trace::row_of(row));
    }
    for (const records::ServingStepRecord& row : run->result.steps) {
      writer.consume(steps, trace::row_of(row));
    }
    writer.set_attribute("digest", hex(run->result.engine.digest));
    writer.write_summary(summary_of(run->metrics));
  }
  trace::write_small_table<records::InputRecord>(writer, origin.inputs);
  writer.set_meta("scenario_toml",
                  without_folders(resolved_toml(configuration, config::Origins::kNames)));
  writer.finish();
}

}  // namespace septet::command
