#include "models/workload/training/training_program.hpp"

#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "models/program/builder.hpp"
#include "models/workload/training/schedule.hpp"
#include "models/workload/training/stage_work.hpp"
#include "models/workload/training/work_builder.hpp"

namespace septet::training {
namespace {

// Streams of a GPU; without a pipeline there are only the first and the last.
constexpr std::uint32_t kCompute = 0;
constexpr std::uint32_t kActivations = 1;
constexpr std::uint32_t kGradients = 2;
constexpr std::uint32_t kReduction = 3;
constexpr std::uint32_t kStreams = 4;

constexpr double kGradient = 2;  // bytes

// Events of a GPU.
enum EventOfGpu : std::uint32_t { kCame, kGo, kCameBack, kGoBack, kReady, kReduced, kEvents };

// Groups of a GPU, as calls name them; not all exist.
constexpr std::array<std::pair<Group, const char*>, 4> kGroups = {{{Group::kTensor, "tensor"},
                                                                   {Group::kData, "data"},
                                                                   {Group::kPipeline, "pipeline"},
                                                                   {Group::kExpert, "expert"}}};

// Where a GPU stands.
struct Rank {
  std::uint32_t tensor = 0, data = 0, stage = 0;
};

class TrainingWriter {
 public:
  explicit TrainingWriter(const TrainingSpec& spec) : spec_(spec), work_(stage_work(spec)) {
    const std::array<std::uint32_t, kGroups.size()> sizes = {
        spec.tensor_parallel_size, spec.data_parallel_size, spec.pipeline_parallel_size,
        spec.expert_parallel_size};
    for (std::size_t g = 0; g < sizes.size(); ++g) {
      if (sizes[g] > 1) role_[kGroups[g].first] = static_cast<std::uint32_t>(role_.size());
    }
  }

  program::Program write() {
    build_.devices(spec_.ranks());
    build_.event(spec_.ranks() * kEvents);
    write_groups();
    for (std::uint32_t s = 0; s < spec_.pipeline_parallel_size; ++s) write_list(s);
    for (std::uint32_t device = 0; device < spec_.ranks(); ++device) write_rank(device);
    return build_.take();
  }

 private:
  std::uint32_t device_of(const Rank& rank) const {
    const std::uint32_t row = rank.stage * spec_.data_parallel_size + rank.data;
    return row * spec_.tensor_parallel_size + rank.tensor;
  }
  Rank rank_of(std::uint32_t device) const {
    const std::uint32_t row = device / spec_.tensor_parallel_size;
    return {device % spec_.tensor_parallel_size, row % spec_.data_parallel_size,
            row / spec_.data_parallel_size};
  }

  // The group of `kind` that a rank belongs to, by its first member.
  std::pair<Group, std::uint32_t> group_of(Group kind, Rank rank) const {
    if (kind == Group::kTensor) rank.tensor = 0;
    if (kind == Group::kData) rank.data = 0;
    if (kind == Group::kPipeline) rank.stage = 0;
    if (kind == Group::kExpert) rank.data -= rank.data % spec_.expert_parallel_size;
    return {kind, device_of(rank)};
  }

  void write_groups() {
    std::vector<program::Communicator> found;
    for (std::uint32_t device = 0; device < spec_.ranks(); ++device) {
      for (const auto& [kind, name] : kGroups) {
        if (role_.count(kind) == 0) continue;
        const auto key = group_of(kind, rank_of(device));
        const auto [entry, fresh] = groups_.emplace(key, static_cast<std::uint32_t>(found.size()));
        if (fresh) found.push_back({fmt::format("{} of gpu {}", name, device), {}});
        found[entry->second].devices.push_back(device);
      }
    }
    for (program::Communicator& group : found) {
      build_.communicator(std::move(group.devices), std::move(group.name));
    }
  }

  void write_rank(std::uint32_t device) {
    const Rank rank = rank_of(device);
    for (std::uint32_t s = 0; s < kStreams; ++s) build_.stream(0, device, device);
    program::HostThread thread;
    thread.name = "trainer";
    thread.process = device;
    thread.offsets = {device * kStreams, device * kEvents, device, {}};
    for (const auto& [kind, name] : kGroups) {
      if (role_.count(kind) == 0) continue;
      thread.offsets.communicators.push_back(groups_.at(group_of(kind, rank)));
    }
    thread.list = rank.stage;
    build_.thread(std::move(thread));
  }

  // What all GPUs of a stage do: the list by its number.
  void write_list(std::uint32_t stage) {
    build_.call_list();
    stage_ = stage;
    for (std::uint32_t s = 0; s < spec_.steps; ++s) write_step(s);
  }

  bool first() const { return stage_ == 0; }
  bool last() const { return stage_ + 1 == spec_.pipeline_parallel_size; }

  void write_step(std::uint32_t step) {
    add(program::Marker{build_.string(fmt::format("step {}", step))}, kCompute);
    filled_ = Bytes(0);
    buckets_ = {};
    for (const Pass& pass :
         one_forward_one_backward(stage_, spec_.pipeline_parallel_size, spec_.num_microbatches)) {
      pass.forward ? forward() : backward(pass.microbatch + 1 == spec_.num_microbatches);
    }
    update();
    add(program::SynchronizeDevice{0}, kCompute);
  }

  void forward() {
    if (!first()) receive(kActivations, stage_ - 1, kCame);
    if (first()) items(work_.embedding_forward);
    for (std::uint32_t l = first_layer(); l < end_layer(); ++l) items(layer(l).forward);
    if (last()) items(work_.head_forward);
    if (!last()) send(kActivations, stage_ + 1, kGo);
  }

  // The last microbatch's gradients are complete, and go into buckets.
  void backward(bool complete) {
    if (!last()) receive(kGradients, stage_ + 1, kCameBack);
    if (last()) items(work_.head_backward);
    if (last() && complete) fill(work_.embedding_parameters);
    for (std::uint32_t l = end_layer(); l-- > first_layer();) {
      items(layer(l).backward);
      if (complete) fill(layer(l).dense_parameters + layer(l).expert_parameters);
    }
    if (first()) items(work_.embedding_backward);
    if (first() && complete) fill(work_.embedding_parameters);
    if (!first()) send(kGradients, stage_ - 1, kGoBack);
    if (complete) reduce();
  }

  std::uint32_t first_layer() const {
    return static_cast<std::uint32_t>(std::uint64_t{spec_.model.num_layers} * stage_ /
                                      spec_.pipeline_parallel_size);
  }
  std::uint32_t end_layer() const {
    return static_cast<std::uint32_t>(std::uint64_t{spec_.model.num_layers} * (stage_ + 1) /
                                      spec_.pipeline_parallel_size);
  }
  const LayerWork& layer(std::uint32_t index) const { return work_.kinds[work_.layers[index]]; }

  void receive(std::uint32_t stream, std::uint32_t peer, std::uint32_t event) {
    join(Group::kPipeline, program::CollectiveOp::kReceive, work_.activations, stream, peer);
    add(program::RecordEvent{event}, stream);
    add(program::WaitEvent{event}, kCompute);
  }

  void send(std::uint32_t stream, std::uint32_t peer, std::uint32_t event) {
    add(program::RecordEvent{event}, kCompute);
    add(program::WaitEvent{event}, stream);
    join(Group::kPipeline, program::CollectiveOp::kSend, work_.activations, stream, peer);
  }

  void items(const WorkList& all) {
    for (const WorkItem& item : all) {
      if (item.is_kernel()) {
        kernel(item);
      } else {
        join(item.group, item.op, item.bytes, kCompute);
      }
    }
  }

  void kernel(const WorkItem& item) {
    add(program::LaunchKernel{build_.kernel_once(item.kernel)}, kCompute);
  }

  void fill(double parameters) {
    filled_ += bytes_of(parameters * kGradient);
    if (filled_ >= spec_.bucket_size) reduce();
  }

  // The gradients of the bucket are ready once the kernels so far have run.
  void reduce() {
    if (filled_ == Bytes(0)) return;
    buckets_.push_back(filled_);
    filled_ = Bytes(0);
    if (role_.count(Group::kData) == 0) return;
    add(program::RecordEvent{kReady}, kCompute);
    add(program::WaitEvent{kReady}, kReduction);
    join(Group::kData,
         spec_.zero_stage > 0 ? program::CollectiveOp::kReduceScatter
                              : program::CollectiveOp::kAllReduce,
         buckets_.back(), kReduction);
  }

  void update() {
    if (role_.count(Group::kData) > 0) {
      add(program::RecordEvent{kReduced}, kReduction);
      add(program::WaitEvent{kReduced}, kCompute);
    }
    for (const Bytes bucket : buckets_) {
      const double parameters = static_cast<double>(bucket.count()) / kGradient;
      items(update_work(spec_, parameters / spec_.shards()));
      if (spec_.zero_stage > 0)
        join(Group::kData, program::CollectiveOp::kAllGather, bucket, kCompute);
    }
  }

  // Nothing where the GPU has no such group.
  void join(Group kind, program::CollectiveOp op, Bytes bytes, std::uint32_t stream,
            std::uint32_t peer = 0) {
    const auto role = role_.find(kind);
    if (role == role_.end()) return;
    program::Collective collective;
    collective.communicator = role->second;
    collective.op = op;
    collective.bytes = bytes;
    collective.data_type = "bf16";
    collective.peer = peer;
    add(program::JoinCollective{build_.collective_once(std::move(collective))}, stream);
  }

  template <class What>
  void add(const What& what, std::uint32_t stream) {
    build_.add({.what = what, .stream = stream});
  }

  const TrainingSpec& spec_;
  const StageWork work_;
  program::ProgramBuilder build_;
  std::map<Group, std::uint32_t> role_;  // groups of more than one GPU, numbered
  std::map<std::pair<Group, std::uint32_t>, std::uint32_t> groups_;  // communicators
  // Of the list that is being written.
  std::uint32_t stage_ = 0;
  Bytes filled_{};              // gradients that no bucket took yet
  std::vector<Bytes> buckets_;  // of this step
};

// Kernel by kernel there are neither chunks nor shared parameters.
void refuse_what_only_stages_know(const TrainingSpec& spec) {
  const auto need = [](const char* key, std::uint32_t got, const char* wanted) {
    throw ConfigError::value({}, std::string("training.") + key, std::to_string(got),
                             std::string(wanted) + " kernel by kernel; `septet plan` takes it");
  };
  if (spec.virtual_pipeline_size > 1)
    need("virtual_pipeline_size", spec.virtual_pipeline_size, "1");
  if (spec.context_parallel_size > 1)
    need("context_parallel_size", spec.context_parallel_size, "1");
  if (spec.zero_stage > 1) need("zero_stage", spec.zero_stage, "0 or 1");
  if (spec.shard_size > 0) need("shard_size", spec.shard_size, "0");
  if (spec.expert_tensor_parallel_size > 1)
    need("expert_tensor_parallel_size", spec.expert_tensor_parallel_size, "1");
  if (spec.data_parallel_size % spec.expert_parallel_size != 0)
    need("expert_parallel_size", spec.expert_parallel_size, "a divisor of data_parallel_size");
  if (spec.model.num_layers < spec.pipeline_parallel_size)
    need("pipeline_parallel_size", spec.pipeline_parallel_size, "at most model.num_layers");
}

}  // namespace

program::Program training_program(const TrainingSpec& spec) {
  check(spec);
  refuse_what_only_stages_know(spec);
  return TrainingWriter(spec).write();
}

ByRange<double> slowness_of(const TrainingSpec& spec) {
  ByRange<double> slowness(1.0);
  for (const SlowGpu& slow : spec.slow) slowness.set(slow.device, 1, slow.factor);
  return slowness;
}

}  // namespace septet::training
