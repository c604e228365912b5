// Fields of the interconnect of GPUs, and of programs that run on many.
#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/models/model_library.hpp"
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

const Fields<training::Recomputation>& recomputation_fields() {
  using S = training::Recomputation;
  static const Fields<S> rows = {
      required(field("granularity", &S::granularity, "what is computed again")),
      ranged("layers", &S::layers, "with full: so many layers of each stage; default: all",
             between(0U, kMost)),
      field("attention", &S::attention, "with selective: scores, softmax and dropout"),
      field("mlp", &S::mlp, "with selective: the MLP"),
      field("activation", &S::activation, "with selective: activation and norm of the MLP"),
      field("up_projection", &S::up_projection,
            "with selective: out of latent attention's vectors"),
  };
  return rows;
}

const Fields<training::Style>& style_fields() {
  using S = training::Style;
  static const Fields<S> rows = {
      field("framework", &S::framework, "whose kernels; default transformer-engine"),
      field("precision", &S::precision, "of the layers' products; default bf16"),
      field("states", &S::states, "what the optimizer keeps; default masters"),
      field("reduce_in_fp32", &S::reduce_in_fp32,
            "gradients are added up in 32 bits; default false: 16"),
      field("flash_attention", &S::flash_attention,
            "attention in one kernel; default true; false: products, softmax and dropout"),
      field("dropout", &S::attention_dropout, "dropout of scores and residuals; default false"),
      field("grouped_gemm", &S::grouped_gemm, "experts of a GPU in one kernel; default true"),
      field("tensor_overlap", &S::tensor_overlap,
            "products in pieces beside the exchanges of tensor ranks; default false"),
      field("reduce_overlap", &S::reduce_overlap,
            "gradients are reduced beside the backward pass; default true"),
      field(
          "gather_overlap", &S::gather_overlap,
          "parameters of a sharded optimizer are gathered beside the forward pass; default false"),
      field("expert_overlap", &S::expert_overlap,
            "tokens are dispatched beside other work; default false"),
      field("fused_dispatch", &S::fused_dispatch,
            "tokens go once to each GPU, into place (DeepEP, HybridEP); default false"),
      field("synchronous", &S::synchronous,
            "every launch waits for its kernel (CUDA_LAUNCH_BLOCKING); default false"),
      field("graphs", &S::graphs, "what runs as CUDA graphs; default none"),
  };
  return rows;
}

// A model by name, or its table.
Field<training::TrainingSpec> model_field() {
  const auto read = [](const Reading& reading, Sources, training::TrainingSpec& spec) {
    if (reading.value.string() == nullptr) {
      spec.model = read_model(reading, Sources::kAllowed);
      return;
    }
    const ModelLibrary library(data_directories());
    spec.model =
        library.find(Convert<std::string>::read(reading), reading.value.where, reading.path);
  };
  return {{"model", "text or a table", "", "a model of data/models, a file, or its shape"}, read};
}

const Fields<training::TrainingSpec>& training_fields() {
  using S = training::TrainingSpec;
  static const Fields<S> rows = {
      required(model_field()),
      required(count("seq_length", &S::seq_length, "tokens per sequence")),
      count("micro_batch_size", &S::micro_batch_size, "sequences per microbatch; default 1"),
      count("num_microbatches", &S::num_microbatches,
            "microbatches per step and replica; default 1"),
      count("tensor_parallel_size", &S::tensor_parallel_size,
            "GPUs that share each layer's matrices; default 1"),
      count("context_parallel_size", &S::context_parallel_size,
            "GPUs that share each sequence; default 1"),
      count("pipeline_parallel_size", &S::pipeline_parallel_size, "pipeline stages; default 1"),
      count("virtual_pipeline_size", &S::virtual_pipeline_size,
            "chunks of layers on each stage (interleaved 1F1B); default 1"),
      count("data_parallel_size", &S::data_parallel_size, "replicas; default 1"),
      count("expert_parallel_size", &S::expert_parallel_size,
            "GPUs over which experts are distributed; default 1"),
      count("expert_tensor_parallel_size", &S::expert_tensor_parallel_size,
            "GPUs that share each expert's matrices; default 1"),
      ranged("bucket_size", &S::bucket_size, "minimum size of a gradient bucket; default 25 MB",
             at_least(Bytes(1))),
      ranged("zero_stage", &S::zero_stage,
             "what replicas share: 1 optimizer, 2 gradients, 3 parameters (FSDP); default 0",
             between(0U, 3U)),
      ranged("shard_size", &S::shard_size, "GPUs that share it (HSDP); default: all replicas",
             between(0U, kMost)),
      section("recompute", &S::recompute, recomputation_fields,
              "what the backward pass computes again; default: nothing"),
      field("sequence_parallel", &S::sequence_parallel,
            "true: outside of GEMMs, the tokens are divided over the tensor-parallel GPUs, and "
            "each all-reduce becomes a reduce-scatter and an all-gather; default false"),
      ranged("offload_layers", &S::offload_layers,
             "layers of a stage whose activations wait in host memory; default 0",
             between(0U, kMost)),
      ranged("expert_imbalance", &S::expert_imbalance,
             "tokens of the busiest expert rank against the mean; default 1", between(1.0, 100.0)),
      ranged("gpu_spread", &S::gpu_spread,
             "standard deviation of GPUs' speeds against the mean; default 0.012",
             between(0.0, 0.5)),
      section("style", &S::style, style_fields, "how the framework runs it"),
      count("steps", &S::steps, "steps; default 1"),
      list("slow", &S::slow, slow_gpu_fields, "GPUs that are slower than the others"),
  };
  return rows;
}

}  // namespace septet::config
