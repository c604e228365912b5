// What the trace of a system consists of.
#pragma once

#include <string>
#include <vector>

#include "core/trace/table.hpp"
#include "models/network/rendezvous/traced_links.hpp"
#include "scenarios/system/system_spec.hpp"

namespace septet {

// The tables that a system writes, and what the codes in them mean.
struct SystemTrace {
  TraceSchema schema;
  TableId api_calls = 0;
  TableId kernels = 0;
  TableId copies = 0;
  TableId event_records = 0;
  TableId collectives = 0;                 // only where the program has some
  TableId links = 0;                       // only where `traced_links` has some
  std::vector<std::string> calls;          // dictionary "call"
  std::vector<std::string> threads;        // dictionary "thread"
  std::vector<std::string> communicators;  // dictionary "communicator"
  Dictionary kernel_names;                 // dictionary "kernel"
  Dictionary timing_methods;               // dictionary "timing_method", see CollectivePlan
  TracedLinks traced_links;                // dictionary "link"
};

// Of a run of `program`, which has been checked, over `network`.
SystemTrace describe_trace(const Program& program, const SystemSpec& system,
                           const CollectiveCallTable& collective_calls,
                           const CollectiveModel& network);

// The name of a collective's kernel in traces.
std::string kernel_name_of(const Collective& collective);

}  // namespace septet
