#include "tools/septet/help_topics.hpp"

#include <array>

namespace septet::command {
namespace {

constexpr std::string_view kRecordings =
    R"(How to record a step for septet replay

In general
  Warm up first: five steps or more, so that nothing is compiled, loaded or allocated for the first
  time. Record three to five steps, begin and end with a synchronisation, and mark the steps. Record
  nothing that you don't need: stacks, shapes and memory slow the CPU down. A profiler slows steps
  that wait for the CPU; septet says how much, and gives speed-ups without it beside the others.
  Of several GPUs record each rank, and give the files of all ranks at once, in any order.

PyTorch
  from torch.profiler import profile, schedule, ProfilerActivity
  from torch._C._profiler import _ExperimentalConfig
  with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
               schedule=schedule(wait=5, warmup=2, active=4),
               experimental_config=_ExperimentalConfig(enable_cuda_sync_events=True)) as p:
      for batch in batches:
          step(batch)
          p.step()
  p.export_chrome_trace("step.json.gz")
  septet replay step.json.gz
  The synchronisation events say which stream waits for what. Leave with_stack and record_shapes
  out.

Nsight Systems
  nsys profile --trace=cuda,nvtx --cuda-graph-trace=node --sample=none --cpuctxsw=none \
      --capture-range=cudaProfilerApi --output=step python train.py
  nsys export --type sqlite --output step.sqlite step.nsys-rep
  septet replay step.sqlite
  Call cudaProfilerStart and Stop (torch.cuda.profiler) around the steps. Where nsys is installed,
  septet replay step.nsys-rep exports by itself. NVTX ranges name steps and parts of them for
  what-ifs such as cpu= and op=; --cuda-graph-trace=graph gives graphs as a whole,
  without their kernels.

Nsight Compute
  ncu --set full --clock-control none --csv --page raw -k regex:gemm python run.py > k.csv
  septet explain k.csv
  It times single kernels, one after the other: for what limits a kernel, not for where a step's
  time goes.

JAX and TensorFlow
  with jax.profiler.trace("out/profile"):
      for _ in range(4): step().block_until_ready()
  septet replay out/profile/plugins/profile/*/*.xplane.pb
  The .trace.json.gz beside it is for viewers; give the .xplane.pb.

AMD GPUs
  PyTorch's profiler as above; durations that run over the next kernel are cut, and counted.
)";

constexpr std::array kTopics = {
    HelpTopic{"recordings", "how to record a step with each profiler", kRecordings},
};

}  // namespace

std::span<const HelpTopic> help_topics() { return kTopics; }

}  // namespace septet::command
