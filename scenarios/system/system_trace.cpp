#include "scenarios/system/system_trace.hpp"

#include "models/records/api_call_record.hpp"
#include "models/records/collective_record.hpp"
#include "models/records/gpu_records.hpp"
#include "models/records/link_records.hpp"

namespace septet::system {

std::string kernel_name_of(const program::Collective& collective) {
  return collective.name.empty() ? std::string(text_of(collective.op)) : collective.name;
}

SystemTrace describe_trace(const program::Program& program, const SystemSpec& system,
                           const network::CollectiveCallTable& collective_calls,
                           const network::CollectiveModel& network) {
  SystemTrace trace;
  trace.api_calls = trace.schema.add(trace::table_of<records::ApiCallRecord>());
  trace.kernels = trace.schema.add(trace::table_of<records::KernelRecord>());
  trace.copies = trace.schema.add(trace::table_of<records::CopyRecord>());
  trace.event_records = trace.schema.add(trace::table_of<records::EventRecord>());
  if (!program.collectives.empty())
    trace.collectives = trace.schema.add(trace::table_of<records::CollectiveRecord>());
  for (const program::CallKind kind : values_of<program::CallKind>())
    trace.calls.emplace_back(name_of(kind));
  trace.calls.insert(trace.calls.end(), program.strings.begin(), program.strings.end());
  for (const program::HostThread& thread : program.threads) trace.threads.push_back(thread.name);
  for (const program::Kernel& kernel : program.kernels) trace.kernel_names.code(kernel.name);
  for (const program::Collective& collective : program.collectives) {
    trace.kernel_names.code(kernel_name_of(collective));
  }
  for (const program::Communicator& communicator : program.communicators) {
    trace.communicators.push_back(communicator.name);
  }
  for (std::uint32_t s = 0; s < collective_calls.size(); ++s)
    trace.timing_methods.code(collective_calls[s].plan.timing_method);
  if (!system.trace_links) return trace;
  trace.traced_links = traced_links(program, collective_calls, network, system.traced_gpus);
  if (!trace.traced_links.links.empty())
    trace.links = trace.schema.add(trace::table_of<records::LinkRecord>());
  return trace;
}

}  // namespace septet::system
