#include "scenarios/config/reference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/config/hardware_fields.hpp"
#include "scenarios/config/scenario_fields.hpp"

namespace septet {
namespace {

template <class Spec>
std::string table_of(const std::string& title, const Fields<Spec>& fields) {
  std::string out = fmt::format("### {}\n\n| key | value | meaning |\n|---|---|---|\n", title);
  for (const FieldText& row : fields) {
    out += fmt::format("| `{}`{} | {}{}{} | {} |\n", row.key, row.required ? " (required)" : "",
                       row.type, row.range.empty() ? "" : " ", row.range, row.description);
  }
  return out + "\n";
}

std::string verbs_of(const std::string& title, const std::vector<Verb>& verbs) {
  std::string out = fmt::format("### {}\n\n| key | goes with |\n|---|---|\n", title);
  for (const Verb& verb : verbs) {
    out += fmt::format("| `{}` | {} |\n", verb.key, fmt::join(verb.takes, ", "));
  }
  return out + "\n";
}

}  // namespace

std::string field_reference() {
  return table_of("The file", scenario_fields()) +
         table_of("[hardware]", hardware_choice_fields()) + table_of("[run]", run_fields()) +
         table_of("[[process]]", process_fields()) +
         table_of("[[green_context]]", green_context_fields()) +
         table_of("[[stream]]", stream_fields()) + table_of("[[kernel]]", kernel_fields()) +
         table_of("[[graph]]", graph_fields()) + table_of("A node of a graph", node_fields()) +
         verbs_of("What a node does, and the keys that go with it", node_verbs()) +
         table_of("[[thread]]", thread_fields()) + table_of("A step", step_fields()) +
         verbs_of("What a step does, and the keys that go with it", step_verbs()) +
         table_of("[[what_if]]", what_if_fields()) + table_of("[gpu]", gpu_fields()) +
         table_of("[gpu.front_end]", front_end_fields()) +
         table_of("[gpu.distributor]", distributor_fields()) + table_of("[gpu.sm]", sm_fields()) +
         table_of("[gpu.kernel]", kernel_model_fields()) +
         table_of("[gpu.kernel.block]", block_life_fields()) +
         table_of("[gpu.kernel.cold]", cold_fields()) +
         table_of("[gpu.kernel.fetch]", fetch_fields()) +
         table_of("[gpu.kernel.issue]", issue_fields()) +
         table_of("A pipe, such as [gpu.kernel.fma]", pipe_fields()) +
         table_of("[gpu.kernel.memory]", memory_fields()) + table_of("[gpu.copy]", copy_fields()) +
         table_of("[gpu.queue]", queue_fields()) +
         table_of("[gpu.time_slice]", time_slice_fields()) +
         table_of("[gpu.partition]", partition_fields()) + table_of("[host]", host_fields());
}

}  // namespace septet
