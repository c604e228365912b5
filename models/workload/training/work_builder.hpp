// The kernels and exchanges of one rank, in the kernels of its framework.
//
// Operands are those that one tensor-parallel rank holds, cold. With sequence parallelism each
// tensor rank has an equal share of the tokens outside of matrices (Korthikanti et al., "Reducing
// activation recomputation in large transformer models", MLSys 2023).
#pragma once

#include <string>

#include "models/workload/training/training_spec.hpp"
#include "models/workload/training/work_item.hpp"

namespace septet::training {

inline constexpr double kHalf = 2;    // bytes of activations and parameters
inline constexpr double kSingle = 4;  // of logits, masters, moments

Bytes bytes_of(double count);

class WorkBuilder {
 public:
  explicit WorkBuilder(const TrainingSpec& spec);

  const TrainingSpec& spec() const { return spec_; }
  const transformer::Model& model() const { return spec_.model; }
  const Style& style() const { return spec_.style; }
  double tokens() const { return tokens_; }          // of a microbatch
  double own_tokens() const { return own_tokens_; }  // outside of matrices
  double hidden() const { return hidden_; }
  double parts() const { return spec_.tensor_parallel_size; }
  bool wide() const;   // autocast: norms and what residuals add stay in 32 bits
  bool calls() const;  // each call of PyTorch is a kernel, or more
  program::DataType half() const;

  WorkList take() { return std::move(items_); }
  WorkItem& last() { return items_.back(); }
  void add(WorkItem item) { items_.push_back(std::move(item)); }
  void add(const WorkList& items) { items_.insert(items_.end(), items.begin(), items.end()); }

  template <class What>
  void kernel(std::string name, What what, double factor = 1) {
    what.state = program::kColdOperands;
    WorkItem item;
    item.kernel = {.name = std::move(name),
                   .shape = {},
                   .work = program::OperatorWork{.what = what, .factor = factor}};
    add(std::move(item));
  }
  // In the precision of the layers, or in 16 bits.
  void product(std::string name, double m, double n, double k, double output = kHalf);
  void half_product(std::string name, double m, double n, double k, double output = kHalf,
                    double batch = 1);
  // Of a layer's matrix of `n` outputs and `k` inputs: that of its input and that of its weights,
  // which is added to what earlier microbatches left.
  void gradients(const std::string& name, double m, double n, double k, double experts = 1,
                 WorkItem* between = nullptr);
  void expert_product(const std::string& name, double rows, double n, double k, double experts,
                      double output = kHalf);
  void norm(std::string name, double rows, double columns);
  void norm_backward(std::string name, double rows, double columns);
  void map(std::string name, double elements, double inputs, double outputs, double instructions);
  void strided(std::string name, double elements, double inputs, double outputs);
  void residual();
  // Of a product's input or gradient into its format; `produced`: by a kernel that could write it.
  void cast(const char* name, double elements, bool produced);

  // Before the first product of a block every rank needs all tokens; behind its last one their
  // sums are all-reduced, or scattered over the ranks.
  void to_matrices(bool beside = false);
  void from_matrices(bool beside = false);
  WorkItem exchange(Group group, program::CollectiveOp op, double bytes, bool beside = false) const;
  double gradient_size() const { return style().reduce_in_fp32 ? kSingle : kHalf; }

 private:
  const TrainingSpec& spec_;
  const double tokens_;
  const double hidden_;
  const double own_tokens_;
  WorkList items_;
};

}  // namespace septet::training
