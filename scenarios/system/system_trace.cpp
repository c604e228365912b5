#include "scenarios/system/system_trace.hpp"

#include "models/records/api_call_record.hpp"
#include "models/records/collective_record.hpp"
#include "models/records/gpu_records.hpp"
#include "models/records/link_records.hpp"

namespace septet {

std::string kernel_name_of(const Collective& collective) {
  return collective.name.empty() ? std::string(text_of(collective.op)) : collective.name;
}

SystemTrace describe_trace(const Program& program, const SystemSpec& system,
                           const CollectiveCallTable& collective_calls,
                           const CollectiveModel& network) {
  SystemTrace trace;
  trace.api_calls = trace.schema.add(table_of<ApiCallRecord>());
  trace.kernels = trace.schema.add(table_of<KernelRecord>());
  trace.copies = trace.schema.add(table_of<CopyRecord>());
  trace.event_records = trace.schema.add(table_of<EventRecord>());
  if (!program.collectives.empty())
    trace.collectives = trace.schema.add(table_of<CollectiveRecord>());
  for (const CallKind kind : values_of<CallKind>()) trace.calls.emplace_back(name_of(kind));
  trace.calls.insert(trace.calls.end(), program.strings.begin(), program.strings.end());
  for (const HostThread& thread : program.threads) trace.threads.push_back(thread.name);
  for (const Kernel& kernel : program.kernels) trace.kernel_names.code(kernel.name);
  for (const Collective& collective : program.collectives) {
    trace.kernel_names.code(kernel_name_of(collective));
  }
  for (const Communicator& communicator : program.communicators) {
    trace.communicators.push_back(communicator.name);
  }
  for (std::uint32_t s = 0; s < collective_calls.size(); ++s)
    trace.timing_methods.code(collective_calls[s].plan.timing_method);
  if (!system.trace_links) return trace;
  trace.traced_links = traced_links(program, collective_calls, network, system.traced_gpus);
  if (!trace.traced_links.links.empty()) trace.links = trace.schema.add(table_of<LinkRecord>());
  return trace;
}

}  // namespace septet
