#include "scenarios/validate/prediction.hpp"

#include "scenarios/validate/graph_cases.hpp"
#include "scenarios/validate/kernel_cases.hpp"
#include "scenarios/validate/launch_cases.hpp"
#include "scenarios/validate/model_cases.hpp"
#include "scenarios/validate/nccl_cases.hpp"
#include "scenarios/validate/public_serving.hpp"
#include "scenarios/validate/public_training.hpp"
#include "scenarios/validate/sharing_cases.hpp"
#include "scenarios/validate/step_cases.hpp"
#include "scenarios/validate/what_if_cases.hpp"

namespace septet::validation {

const std::vector<CaseKind>& case_kinds() {
  static const std::vector<CaseKind> kKinds = [] {
    std::vector<CaseKind> all;
    for (const auto& part : {launch_cases(),    stream_cases(),         block_cases(),
                             occupancy_cases(), graph_cases(),          sharing_cases(),
                             copy_cases(),      process_cases(),        queue_cases(),
                             model_cases(),     what_if_cases(),        memory_cases(),
                             compute_cases(),   roofline_cases(),       mix_cases(),
                             claim_cases(),     profile_cases(),        op_cases(),
                             power_cases(),     nccl_cases(),           step_cases(),
                             serve_cases(),     public_serving_cases(), overlap_cases(),
                             training_cases(),  train_step_cases()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return kKinds;
}

}  // namespace septet::validation
