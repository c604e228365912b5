// The MLP of a layer, dense or of experts, forward and backward.
#include <cmath>

#include "models/workload/training/stage_work.hpp"
#include "models/workload/training/work_builder.hpp"

namespace septet::training {
namespace {

constexpr double kRouterColumns = 3;  // passes over scores: softmax, top k, bookkeeping

// One MLP on one rank: rows of its products, columns of its width.
struct Mlp {
  const char* in = "mlp_in";
  const char* out = "mlp_out";
  double rows = 0;
  double width = 0;
  double experts = 1;
};

double gates(const WorkBuilder& build) { return build.model().gated_linear_unit ? 2 : 1; }

void add_activation(WorkBuilder& build, const Mlp& mlp, bool backward) {
  const double elements = mlp.rows * mlp.width;
  const double instructions =
      build.model().gated_linear_unit ? program::kSiluInstructions : program::kGeluInstructions;
  const char* name = backward ? "activation_backward" : "activation";
  const double inputs = gates(build) + (backward ? 1 : 0);
  const double outputs = backward ? gates(build) : 1;
  if (!build.calls() || !build.model().gated_linear_unit) {
    return build.map(name, elements, inputs, outputs, instructions);
  }
  // SiLU of one half of the product, times the other; backward their gradients, joined.
  build.strided(name, elements, backward ? 2 : 1, 1);
  if (!backward) return build.map("gated", elements, 2, 1, program::kAddInstructions);
  build.strided("gated_backward", elements, 2, 1);
  build.strided("gated_backward", elements, 2, 1);
  build.map("halves_joined", 2 * elements, 1, 1, program::kCopyInstructions);
}

void add_up(WorkBuilder& build, const Mlp& mlp) {
  build.expert_product(mlp.in, mlp.rows, gates(build) * mlp.width, build.hidden(), mlp.experts);
  add_activation(build, mlp, false);
  build.cast("cast", mlp.rows * mlp.width, false);
}

void add_products(WorkBuilder& build, const Mlp& mlp) {
  add_up(build, mlp);
  build.expert_product(mlp.out, mlp.rows, build.hidden(), mlp.width, mlp.experts);
}

void add_products_backward(WorkBuilder& build, const Mlp& mlp, WorkItem* between = nullptr,
                           bool gather = false) {
  const Recomputation& recompute = build.spec().recompute;
  if (recompute.mlp) {
    add_up(build, mlp);
  } else if (recompute.activation) {
    add_activation(build, mlp, false);
  }
  build.gradients(mlp.out, mlp.rows, build.hidden(), mlp.width, mlp.experts);
  add_activation(build, mlp, true);
  build.cast("cast_backward", mlp.rows * mlp.width * gates(build), false);
  if (gather) build.to_matrices(true);
  build.gradients(mlp.in, mlp.rows, gates(build) * mlp.width, build.hidden(), mlp.experts, between);
}

Mlp dense(const WorkBuilder& build, double width) {
  return {"mlp_in", "mlp_out", build.tokens(), width / build.parts(), 1};
}

Mlp routed(const WorkBuilder& build) {
  const TrainingSpec& spec = build.spec();
  const transformer::Experts& experts = build.model().experts;
  const double share = spec.expert_tensor_parallel_size;
  // Tokens of a GPU as many as it sends; those of its partners of the same experts as well.
  const double sent = build.tokens() / build.parts() * experts.moe_router_topk * share;
  return {"expert_in", "expert_out", sent * spec.expert_imbalance,
          experts.moe_ffn_hidden_size / share,
          static_cast<double>(experts.num_experts) / spec.expert_parallel_size};
}

void add_gathered(WorkBuilder& build, bool scatter, double bytes) {
  if (build.spec().expert_tensor_parallel_size == 1) return;
  build.add(build.exchange(
      Group::kExpertTensor,
      scatter ? program::CollectiveOp::kReduceScatter : program::CollectiveOp::kAllGather, bytes));
}

// GPUs that a token goes to: each of its experts is on any of them.
double destinations(const WorkBuilder& build) {
  const double ranks = build.spec().expert_parallel_size;
  const double experts = build.model().experts.moe_router_topk;
  return ranks * (1 - std::pow(1 - 1 / ranks, experts));
}

// Copies of tokens, one for each of their experts, sent by their GPU; and, where a GPU has several
// experts, put in their order. All of it is one step of a fused dispatch.
void add_dispatch(WorkBuilder& build, const Mlp& mlp, bool back) {
  const TrainingSpec& spec = build.spec();
  const bool fused = build.style().fused_dispatch;
  const double experts = build.model().experts.moe_router_topk;
  const double copies = mlp.rows / spec.expert_tensor_parallel_size * build.hidden();
  const auto order = [&] {
    if (fused || spec.expert_parallel_size == 1 || mlp.experts <= 1) return;
    build.map("order_experts", copies, 1, 1, program::kCopyInstructions);
  };
  if (!back && !fused) build.map("copy_tokens", copies, 1 / experts, 1, program::kCopyInstructions);
  if (back) add_gathered(build, true, mlp.rows * build.hidden() * kHalf);
  if (back) order();
  if (spec.expert_parallel_size > 1) {
    const double sent = fused ? copies * destinations(build) / experts : copies;
    build.add(build.exchange(Group::kExpert, program::CollectiveOp::kAllToAll,
                             sent * spec.expert_imbalance * kHalf, build.style().expert_overlap));
  }
  if (!back) order();
  if (!back) add_gathered(build, false, mlp.rows * build.hidden() * kHalf);
  if (back) build.map("sum_tokens", copies, 1, 1 / experts, program::kCopyInstructions);
}

// Scores in fp32.
void add_router(WorkBuilder& build) {
  const double experts = build.model().experts.num_experts;
  const double rows = build.tokens() / build.parts();
  build.half_product("router", rows, experts, build.hidden(), kSingle);
  build.map("router_scores", rows * experts, kRouterColumns, kRouterColumns,
            program::kSiluInstructions);
}

double shared_width(const WorkBuilder& build) {
  return build.model().experts.moe_shared_expert_intermediate_size;
}

void add_experts(WorkBuilder& build) {
  const Mlp mlp = routed(build);
  add_router(build);
  add_dispatch(build, mlp, false);
  build.cast("cast", mlp.rows * build.hidden(), false);
  add_products(build, mlp);
  add_dispatch(build, mlp, true);
  if (shared_width(build) == 0) return;
  build.to_matrices();
  add_products(build, dense(build, shared_width(build)));
  build.from_matrices();
}

void add_experts_backward(WorkBuilder& build) {
  const Mlp mlp = routed(build);
  add_dispatch(build, mlp, false);
  build.cast("cast_backward", mlp.rows * build.hidden(), false);
  add_products_backward(build, mlp);
  add_dispatch(build, mlp, true);
  add_router(build);
  if (shared_width(build) == 0) return;
  build.to_matrices();
  add_products_backward(build, dense(build, shared_width(build)));
  build.from_matrices();
}

}  // namespace

void add_mlp(WorkBuilder& build, bool experts) {
  build.norm("mlp_norm", build.own_tokens(), build.hidden());
  if (experts) {
    add_experts(build);
  } else {
    build.cast("cast", build.own_tokens() * build.hidden(), true);
    build.to_matrices();
    add_products(build, dense(build, build.model().ffn_hidden_size));
    build.from_matrices();
  }
  build.residual();
}

void add_mlp_backward(WorkBuilder& build, bool experts) {
  if (build.spec().recompute.activation) {
    build.norm("mlp_norm", build.own_tokens(), build.hidden());
  }
  if (experts) {
    add_experts_backward(build);
  } else {
    build.cast("cast_backward", build.own_tokens() * build.hidden(), false);
    build.to_matrices();
    WorkBuilder reduce(build.spec());
    reduce.from_matrices(true);
    WorkList between = reduce.take();
    add_products_backward(build, dense(build, build.model().ffn_hidden_size),
                          between.empty() ? nullptr : between.data(), true);
  }
  build.norm_backward("mlp_norm_backward", build.own_tokens(), build.hidden());
  build.residual();
}

}  // namespace septet::training
