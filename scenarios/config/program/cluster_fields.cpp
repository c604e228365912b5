// Fields of the interconnect of GPUs, and of programs that run on many.
#include "scenarios/config/program/scenario_fields.hpp"

namespace septet::config {
namespace {

constexpr std::uint32_t kMost = 1U << 20;
constexpr Duration kSecond{kPicosecondsPerSecond};

// A whole number of at least one.
template <class Spec>
Field<Spec> count(std::string key, std::uint32_t Spec::*member, std::string description) {
  return ranged(std::move(key), member, std::move(description), between(1U, kMost));
}

}  // namespace

const Fields<CommunicatorText>& communicator_fields() {
  using S = CommunicatorText;
  static const Fields<S> rows = {
      required(field("name", &S::name, "name of the group")),
      required(field("devices", &S::devices, "its GPUs, in rank order")),
  };
  return rows;
}

const Fields<network::NetworkSpec>& interconnect_fields() {
  using S = network::NetworkSpec;
  const auto rate = between(ByteRate(1e6), ByteRate(1e15));
  const auto latency = between(Duration(0), kSecond);
  static const Fields<S> rows = {
      count("gpus_per_node", &S::gpus_per_node, "GPUs on one switch; default 8"),
      ranged("link", &S::link,
             "rate of a GPU's link to its switch, per direction, if the GPU has no [collective]; "
             "default 450 GB/s (NVLink 4, data sheet)",
             rate),
      ranged("link_latency", &S::link_latency, "latency of a step inside a node; default 1 us",
             latency),
      ranged("nic", &S::nic, "rate of each GPU's NIC, per direction; default 50 GB/s (400 Gb/s)",
             rate),
      ranged("nic_latency", &S::nic_latency, "latency of a step between nodes; default 5 us",
             latency),
      ranged("startup", &S::startup, "start-up time of a collective; default 5 us", latency),
      count("channels", &S::channels,
            "blocks of a collective's kernel, if not chosen by the library; default 16"),
      count("peer_channels", &S::peer_channels, "blocks of a send or receive kernel; default 2"),
  };
  return rows;
}

const Fields<training::Transformer>& transformer_fields() {
  using S = training::Transformer;
  static const Fields<S> rows = {
      required(count("num_layers", &S::num_layers, "layers")),
      required(count("hidden_size", &S::hidden_size, "width of the activations")),
      required(count("num_attention_heads", &S::num_attention_heads, "attention heads")),
      required(count("num_query_groups", &S::num_query_groups, "key and value heads")),
      required(count("ffn_hidden_size", &S::ffn_hidden_size,
                     "width of the gated MLP, or of each expert's")),
      required(count("vocab_size", &S::vocab_size, "size of the vocabulary")),
      ranged("num_experts", &S::num_experts, "experts per layer; default 0: a dense MLP",
             between(0U, kMost)),
      count("moe_top_k", &S::moe_top_k, "experts per token; default 1"),
  };
  return rows;
}

const Fields<OtherGpusText>& other_gpus_fields() {
  using S = OtherGpusText;
  static const Fields<S> rows = {
      required(field("gpu", &S::gpu, "name, alias or .toml file of a GPU profile")),
      field("host", &S::host,
            "name, alias or .toml file of a host profile; default: the GPU profile's own"),
      required(ranged("first", &S::first, "index of the first of these GPUs", between(0U, kMost))),
      count("count", &S::count, "number of these GPUs; default 1"),
  };
  return rows;
}

const Fields<training::SlowGpu>& slow_gpu_fields() {
  using S = training::SlowGpu;
  static const Fields<S> rows = {
      required(field("device", &S::device, "index of the GPU")),
      required(
          ranged("factor", &S::factor, "factor on the time of its kernels", between(0.01, 1000.0))),
  };
  return rows;
}

const Fields<training::TrainingSpec>& training_fields() {
  using S = training::TrainingSpec;
  static const Fields<S> rows = {
      required(section("model", &S::model, transformer_fields, "a decoder-only transformer")),
      required(count("seq_length", &S::seq_length, "tokens per sequence")),
      count("micro_batch_size", &S::micro_batch_size, "sequences per microbatch; default 1"),
      count("num_microbatches", &S::num_microbatches,
            "microbatches per step and replica; default 1"),
      count("tensor_parallel_size", &S::tensor_parallel_size,
            "GPUs that share each layer's matrices; default 1"),
      count("pipeline_parallel_size", &S::pipeline_parallel_size, "pipeline stages; default 1"),
      count("data_parallel_size", &S::data_parallel_size, "replicas; default 1"),
      count("expert_parallel_size", &S::expert_parallel_size,
            "replicas over which experts are distributed; default 1"),
      ranged("bucket_size", &S::bucket_size, "minimum size of a gradient bucket; default 25 MB",
             at_least(Bytes(1))),
      ranged("zero_stage", &S::zero_stage,
             "1: each replica updates its share of the parameters; default 0", between(0U, 1U)),
      field("recompute_activations", &S::recompute_activations,
            "true: activations are recomputed in the backward pass; default false"),
      field("sequence_parallel", &S::sequence_parallel,
            "true: outside of GEMMs, the tokens are divided over the tensor-parallel GPUs, and "
            "each all-reduce becomes a reduce-scatter and an all-gather; default false"),
      count("steps", &S::steps, "steps; default 1"),
      list("slow", &S::slow, slow_gpu_fields, "GPUs that are slower than the others"),
  };
  return rows;
}

}  // namespace septet::config
