// The operators of one layer in the kernels of an engine (step_model.hpp says which).
#pragma once

#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/workload/llm/deployment.hpp"
#include "models/workload/llm/step_shape.hpp"
#include "models/workload/transformer/step_operator.hpp"

namespace septet::llm {

using Operators = std::vector<transformer::StepOperator>;

// What the GEMMs of a step have in common.
struct EngineStep {
  const gpu::GpuSpec& gpu;
  const Deployment& deployment;
  const StepShape& shape;

  const transformer::Model& model() const { return deployment.model; }
  double tensor() const { return deployment.layout.tensor; }
  double hidden() const { return model().hidden_size; }
  transformer::NumberFormat linear() const;  // of attention's and dense matrices
};

// A GEMM with weights of a format, after the cast of its input where it needs one.
void add_product(const EngineStep& step, const char* name, transformer::NumberFormat weights,
                 double rows, double n, double k, Operators& out, gpu::GemmChoice choice = {});

// Sums up what the ranks of a tensor group have of the last operator's output.
void add_all_reduce(const EngineStep& step, double rows, Operators& out);

void add_attention_block(const EngineStep& step, bool windowed, Operators& out);
void add_latent_block(const EngineStep& step, Operators& out);
void add_attention(const EngineStep& step, bool windowed, Operators& out);  // alone
void add_dense(const EngineStep& step, Operators& out);
void add_experts(const EngineStep& step, Operators& out);

void add_start(const EngineStep& step, Operators& out);  // before all layers
void add_end(const EngineStep& step, Operators& out);    // after them

}  // namespace septet::llm
