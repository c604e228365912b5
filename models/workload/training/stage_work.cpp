#include "models/workload/training/stage_work.hpp"

#include <initializer_list>

namespace septet::training {
namespace {

constexpr double kSize = 2;      // bytes of parameters, activations and gradients: bf16
constexpr double kSumSize = 4;   // of gradients while they are summed over microbatches
constexpr double kBackward = 2;  // of norms and elementwise operators
constexpr double kFlashBackward = 2.5;
constexpr double kRopeInstructions = 12;
constexpr double kAdamInstructions = 24;

Bytes bytes(double count) { return Bytes(static_cast<std::int64_t>(in_range<BytesTag>(count))); }

// The operators of one tensor-parallel rank.
class Operators {
 public:
  explicit Operators(const TrainingSpec& spec)
      : spec_(spec),
        model_(spec.model),
        tokens_(spec.tokens()),
        hidden_(model_.hidden_size),
        parts_(spec.tensor_parallel_size),
        own_tokens_(spec.sequence_parallel ? tokens_ / parts_ : tokens_) {}

  StageWork work() const {
    StageWork out;
    out.layer_forward = layer_forward();
    out.layer_backward = layer_backward();
    out.embedding_forward = {embedding("embedding")};
    out.embedding_backward = {times(embedding("embedding_backward"), kBackward)};
    out.head_forward = {norm("final_norm")};
    to_matrices(out.head_forward);
    out.head_forward.insert(out.head_forward.end(),
                            {product("head", tokens_, vocabulary(), hidden_),
                             rowwise("loss", program::RowOperator::kSoftmax, tokens_, vocabulary()),
                             {WorkKind::kTensorReduce, {}, bytes(tokens_ * kSumSize)}});
    out.head_backward = {product("head_grad_input", tokens_, hidden_, vocabulary()),
                         weight_gradient("head_grad_weight", vocabulary(), hidden_),
                         from_matrices()};
    out.layer_gradients = bytes(layer_parameters() * kSize);
    out.embedding_gradients = bytes(vocabulary() * hidden_ * kSize);
    out.activations = bytes(own_tokens_ * hidden_ * kSize);
    return out;
  }

  // Adam on parameters, gradient and two moments in four bytes each; writes all but the gradient
  // and the parameters in two bytes.
  WorkItem update(Bytes bucket) const {
    program::Elementwise what{.elements = static_cast<double>(bucket.count()) / kSize,
                              .inputs = 4,
                              .outputs = 3.5,
                              .type = program::DataType::kFp32,
                              .instructions = kAdamInstructions};
    if (spec_.zero_stage > 0) what.elements /= spec_.data_parallel_size;
    return kernel("adam", what);
  }

 private:
  double vocabulary() const { return model_.vocab_size / parts_; }
  double activations() const { return tokens_ * hidden_ * kSize; }
  double head_dimension() const { return hidden_ / model_.num_attention_heads; }
  double query_columns() const { return hidden_ / parts_; }
  double attention_columns() const {
    return query_columns() + 2 * model_.num_query_groups * head_dimension() / parts_;
  }
  double feed_forward() const { return model_.ffn_hidden_size / parts_; }
  // Rows of the products of the MLP: each token goes to its active experts.
  double expert_tokens() const {
    return model_.num_experts == 0 ? tokens_ : tokens_ * model_.moe_top_k;
  }
  double experts_here() const {
    return model_.num_experts == 0
               ? 1
               : static_cast<double>(model_.num_experts) / spec_.expert_parallel_size;
  }
  double layer_parameters() const {
    return hidden_ * (attention_columns() + query_columns()) +
           3 * hidden_ * feed_forward() * experts_here() + 2 * hidden_;
  }

  template <class What>
  static WorkItem kernel(std::string name, What what) {
    what.state = program::kColdOperands;
    const program::OperatorWork work{.what = what, .load = {.steady = true}};
    return {WorkKind::kKernel, {.name = std::move(name), .shape = {}, .work = work}, {}};
  }
  static WorkItem times(WorkItem item, double factor) {
    std::get<program::OperatorWork>(item.kernel.work).factor = factor;
    return item;
  }
  WorkItem product(std::string name, double m, double n, double k, double output = kSize) const {
    return kernel(std::move(name), program::Gemm{.m = m, .n = n, .k = k, .output_size = output});
  }
  WorkItem weight_gradient(std::string name, double rows, double columns) const {
    return product(std::move(name), rows, columns, tokens_, kSumSize);
  }
  static WorkItem rowwise(std::string name, program::RowOperator what, double rows,
                          double columns) {
    return kernel(std::move(name),
                  program::Rowwise{.what = what, .rows = rows, .columns = columns});
  }
  WorkItem norm(std::string name) const {
    return rowwise(std::move(name), program::RowOperator::kRmsNorm, own_tokens_, hidden_);
  }
  WorkItem embedding(std::string name) const {
    return kernel(std::move(name), program::Gather{.rows = own_tokens_, .columns = hidden_});
  }
  WorkItem elementwise(std::string name, double elements, double inputs,
                       double instructions) const {
    return kernel(
        std::move(name),
        program::Elementwise{.elements = elements, .inputs = inputs, .instructions = instructions});
  }
  WorkItem rope(std::string name = "rope") const {
    return elementwise(std::move(name), tokens_ * attention_columns(), 1, kRopeInstructions);
  }
  WorkItem residual() const {
    return elementwise("residual", own_tokens_ * hidden_, 2, program::kAddInstructions);
  }
  WorkItem activation(std::string name = "activation") const {
    return elementwise(std::move(name), expert_tokens() * feed_forward(), 2,
                       program::kSiluInstructions);
  }
  WorkItem attention(std::string name = "attention") const {
    return kernel(
        std::move(name),
        program::Attention{.batch = spec_.micro_batch_size,
                           .heads = model_.num_attention_heads / spec_.tensor_parallel_size,
                           .kv_heads = model_.num_query_groups / spec_.tensor_parallel_size,
                           .queries = spec_.seq_length,
                           .keys = spec_.seq_length,
                           .dim = model_.hidden_size / model_.num_attention_heads,
                           .causal = true});
  }
  // Before a layer's first product every rank needs all tokens; behind its last one their sums are
  // all-reduced, or scattered over the ranks.
  void to_matrices(std::vector<WorkItem>& out) const {
    if (!spec_.sequence_parallel) return;
    out.push_back({WorkKind::kTensorGather, {}, bytes(activations())});
  }
  WorkItem from_matrices() const {
    const bool scatters = spec_.sequence_parallel;
    return {
        scatters ? WorkKind::kTensorScatter : WorkKind::kTensorReduce, {}, bytes(activations())};
  }
  void exchange(std::vector<WorkItem>& out) const {
    if (model_.num_experts == 0) return;
    out.push_back({WorkKind::kExpertExchange, {}, bytes(expert_tokens() * hidden_ * kSize)});
  }

  static void append(std::vector<WorkItem>& out, std::initializer_list<WorkItem> items) {
    out.insert(out.end(), items);
  }

  std::vector<WorkItem> layer_forward() const {
    std::vector<WorkItem> out = {norm("attention_norm")};
    to_matrices(out);
    append(out, {product("qkv", tokens_, attention_columns(), hidden_), rope(), attention(),
                 product("attention_out", tokens_, hidden_, query_columns()), from_matrices(),
                 residual(), norm("mlp_norm")});
    to_matrices(out);
    if (model_.num_experts > 0)
      out.push_back(product("router", tokens_, model_.num_experts, hidden_));
    exchange(out);
    append(out, {product("mlp_in", expert_tokens(), 2 * feed_forward(), hidden_), activation(),
                 product("mlp_out", expert_tokens(), hidden_, feed_forward())});
    exchange(out);
    append(out, {from_matrices(), residual()});
    return out;
  }

  std::vector<WorkItem> layer_backward() const {
    std::vector<WorkItem> out;
    if (spec_.recompute_activations) out = layer_forward();
    mlp_backward(out);
    append(out, {times(norm("mlp_norm_backward"), kBackward), residual()});
    attention_backward(out);
    append(out, {times(norm("attention_norm_backward"), kBackward), residual()});
    return out;
  }

  void mlp_backward(std::vector<WorkItem>& out) const {
    const double rows = expert_tokens();
    to_matrices(out);
    exchange(out);
    append(out, {product("mlp_out_grad_input", rows, feed_forward(), hidden_),
                 product("mlp_out_grad_weight", hidden_, feed_forward(), rows, kSumSize),
                 times(activation("activation_backward"), kBackward),
                 product("mlp_in_grad_input", rows, hidden_, 2 * feed_forward()),
                 product("mlp_in_grad_weight", 2 * feed_forward(), hidden_, rows, kSumSize)});
    exchange(out);
    out.push_back(from_matrices());
  }

  void attention_backward(std::vector<WorkItem>& out) const {
    to_matrices(out);
    append(out,
           {product("attention_out_grad_input", tokens_, query_columns(), hidden_),
            weight_gradient("attention_out_grad_weight", hidden_, query_columns()),
            times(attention("attention_backward"), kFlashBackward), rope("rope_backward"),
            product("qkv_grad_input", tokens_, hidden_, attention_columns()),
            weight_gradient("qkv_grad_weight", attention_columns(), hidden_), from_matrices()});
  }

  const TrainingSpec& spec_;
  const Transformer& model_;
  const double tokens_;
  const double hidden_;
  const double parts_;
  const double own_tokens_;  // of norms and residuals
};

}  // namespace

StageWork stage_work(const TrainingSpec& spec) { return Operators(spec).work(); }

WorkItem update_work(const TrainingSpec& spec, Bytes bucket) {
  return Operators(spec).update(bucket);
}

}  // namespace septet::training
