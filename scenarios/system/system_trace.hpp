// What the trace of a system consists of.
#pragma once

#include <string>
#include <vector>

#include "core/trace/table.hpp"
#include "models/network/rendezvous/traced_links.hpp"
#include "scenarios/system/system_spec.hpp"

namespace septet::system {

// The tables that a system writes, and what the codes in them mean.
struct SystemTrace {
  trace::TraceSchema schema;
  trace::TableId api_calls = 0;
  trace::TableId kernels = 0;
  trace::TableId copies = 0;
  trace::TableId event_records = 0;
  trace::TableId collectives = 0;          // only where the program has some
  trace::TableId links = 0;                // only where `traced_links` has some
  std::vector<std::string> calls;          // dictionary "call"
  std::vector<std::string> threads;        // dictionary "thread"
  std::vector<std::string> communicators;  // dictionary "communicator"
  trace::Dictionary kernel_names;          // dictionary "kernel"
  trace::Dictionary timing_methods;        // dictionary "timing_method", see CollectivePlan
  network::TracedLinks traced_links;       // dictionary "link"
};

// Of a run of `program`, which has been checked, over `network`.
SystemTrace describe_trace(const program::Program& program, const SystemSpec& system,
                           const network::CollectiveCallTable& collective_calls,
                           const network::CollectiveModel& network);

// The name of a collective's kernel in traces.
std::string kernel_name_of(const program::Collective& collective);

}  // namespace septet::system
