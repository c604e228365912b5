// The fields of hardware profiles: one row for each number of a GpuSpec and a HostSpec.
#pragma once

#include "models/gpu/gpu_spec.hpp"
#include "models/host/host_spec.hpp"
#include "scenarios/config/fields/field.hpp"

namespace septet {

// Names and aliases are not among them: they belong to the profile, not to the numbers.
const Fields<GpuSpec>& gpu_fields();
const Fields<HostSpec>& host_fields();

const Fields<FrontEndSpec>& front_end_fields();
const Fields<BlockSchedulerSpec>& block_scheduler_fields();
const Fields<SmSpec>& sm_fields();
const Fields<CopySpec>& copy_fields();
const Fields<QueueSpec>& queue_fields();
const Fields<TimeSliceSpec>& time_slice_fields();
const Fields<PartitionSpec>& partition_fields();

// Links and the communication library (collective_fields.cpp).
const Fields<CollectiveSpec>& collective_fields();
const Fields<FlagProtocolSpec>& flag_protocol_fields();
const Fields<SimpleProtocolSpec>& simple_protocol_fields();
const Fields<DirectSpec>& direct_fields();
const Fields<NvlsSpec>& nvls_fields();
const Fields<TunerSpec>& tuner_fields();

// The kernel model (kernel_model_fields.cpp).
const Fields<KernelSpec>& kernel_model_fields();
const Fields<BlockLifeSpec>& block_life_fields();
const Fields<ColdSpec>& cold_fields();
const Fields<FetchSpec>& fetch_fields();
const Fields<IssueSpec>& issue_fields();
const Fields<PipeSpec>& pipe_fields();
const Fields<MemorySpec>& memory_fields();

// The operator and the power model (operator_fields.cpp).
const Fields<TensorSpec>& tensor_fields();
const Fields<OperatorSpec>& operator_fields();
const Fields<PipelineSpec>& pipeline_fields();
const Fields<GemmSpec>& gemm_fields();
const Fields<CudnnSpec>& cudnn_fields();
const Fields<Flash3Spec>& flash3_fields();
const Fields<RowwiseSpec>& rowwise_fields();
const Fields<CallSpec>& call_fields();
const Fields<PowerSpec>& power_fields();

}  // namespace septet
