#include "scenarios/config/reference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/config/hardware/hardware_fields.hpp"
#include "scenarios/config/models/model_fields.hpp"
#include "scenarios/config/program/scenario_fields.hpp"

namespace septet::config {
namespace {

std::string verbs_of(const std::string& title, const std::vector<Verb>& verbs) {
  std::string out = fmt::format("### {}\n\n| key | goes with |\n|---|---|\n", title);
  for (const Verb& verb : verbs) {
    out += fmt::format("| `{}` | {} |\n", verb.key, fmt::join(verb.takes, ", "));
  }
  return out + "\n";
}

}  // namespace

std::string field_table(const std::string& title, const std::vector<const FieldText*>& fields) {
  std::string out = fmt::format("### {}\n\n| key | value | meaning |\n|---|---|---|\n", title);
  for (const FieldText* row : fields) {
    out += fmt::format("| `{}`{} | {}{}{} | {} |\n", row->key, row->required ? " (required)" : "",
                       row->type, row->range.empty() ? "" : " ", row->range, row->description);
  }
  return out + "\n";
}

std::string field_reference() {
  return field_table("The file", scenario_fields()) +
         field_table("[hardware]", hardware_choice_fields()) +
         field_table("[[hardware.other]]", other_gpus_fields()) +
         field_table("[run]", program_run_fields()) + field_table("[[process]]", process_fields()) +
         field_table("[[green_context]]", green_context_fields()) +
         field_table("[[communicator]]", communicator_fields()) +
         field_table("[interconnect]", interconnect_fields()) +
         field_table("[training]", training_fields()) +
         field_table("[training.model]", model_fields()) +
         field_table("[training.model.experts]", expert_fields()) +
         field_table("[training.model.latent]", latent_fields()) +
         field_table("[training.recompute]", recomputation_fields()) +
         field_table("[training.style]", style_fields()) +
         field_table("[[training.slow]]", slow_gpu_fields()) +
         field_table("[[stream]]", stream_fields()) + field_table("[[kernel]]", kernel_fields()) +
         field_table("A segment of a kernel", segment_fields()) +
         field_table("Instructions or conflicts of a segment", pipe_count_fields()) +
         field_table("Memory access of a segment", access_fields()) +
         field_table("The operator of a kernel", operator_keys(OperatorForm::kScenario)) +
         field_table("[[graph]]", graph_fields()) +
         field_table("A node of a graph", node_fields()) +
         verbs_of("Actions of a node, and their keys", node_verbs()) +
         field_table("[[thread]]", thread_fields()) + field_table("A step", step_fields()) +
         verbs_of("Actions of a step, and their keys", step_verbs()) +
         field_table("[[what_if]]", what_if_fields()) + field_table("[gpu]", gpu_fields()) +
         field_table("[gpu.front_end]", front_end_fields()) +
         field_table("[gpu.block_scheduler]", block_scheduler_fields()) +
         field_table("[gpu.sm]", sm_fields()) + field_table("[gpu.kernel]", kernel_model_fields()) +
         field_table("[gpu.kernel.block]", block_life_fields()) +
         field_table("[gpu.kernel.cold]", cold_fields()) +
         field_table("[gpu.kernel.fetch]", fetch_fields()) +
         field_table("[gpu.kernel.issue]", issue_fields()) +
         field_table("A pipe, such as [gpu.kernel.fma]", pipe_fields()) +
         field_table("[gpu.kernel.memory]", memory_fields()) +
         field_table("[gpu.tensor]", tensor_fields()) +
         field_table("[gpu.operators]", operator_fields()) +
         field_table("[gpu.operators.pipeline]", pipeline_fields()) +
         field_table("[gpu.operators.gemm]", gemm_fields()) +
         field_table("[gpu.operators.cudnn]", cudnn_fields()) +
         field_table("[gpu.operators.flash3]", flash3_fields()) +
         field_table("[gpu.operators.rowwise]", rowwise_fields()) +
         field_table("[gpu.operators.call]", call_fields()) +
         field_table("[gpu.power]", power_fields()) + field_table("[gpu.copy]", copy_fields()) +
         field_table("[gpu.queue]", queue_fields()) +
         field_table("[gpu.time_slice]", time_slice_fields()) +
         field_table("[gpu.partition]", partition_fields()) +
         field_table("[gpu.collective]", collective_fields()) +
         field_table("[gpu.collective.ll] and [gpu.collective.ll128]", flag_protocol_fields()) +
         field_table("[gpu.collective.simple]", simple_protocol_fields()) +
         field_table("[gpu.collective.direct]", direct_fields()) +
         field_table("[gpu.collective.nvls]", nvls_fields()) +
         field_table("[gpu.collective.tuner]", tuner_fields()) +
         field_table("[host]", host_fields());
}

}  // namespace septet::config
