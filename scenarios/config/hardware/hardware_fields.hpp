// The fields of hardware profiles: one row for each number of a GpuSpec and a HostSpec.
#pragma once

#include "models/gpu/gpu_spec.hpp"
#include "models/host/host_spec.hpp"
#include "scenarios/config/fields/field.hpp"

namespace septet::config {

// Names and aliases are not among them: they belong to the profile, not to the numbers.
const Fields<gpu::GpuSpec>& gpu_fields();
const Fields<host::HostSpec>& host_fields();

const Fields<gpu::FrontEndSpec>& front_end_fields();
const Fields<gpu::BlockSchedulerSpec>& block_scheduler_fields();
const Fields<gpu::SmSpec>& sm_fields();
const Fields<gpu::CopySpec>& copy_fields();
const Fields<gpu::QueueSpec>& queue_fields();
const Fields<gpu::TimeSliceSpec>& time_slice_fields();
const Fields<gpu::PartitionSpec>& partition_fields();

// Links and the communication library (collective_fields.cpp).
const Fields<network::CollectiveSpec>& collective_fields();
const Fields<network::FlagProtocolSpec>& flag_protocol_fields();
const Fields<network::SimpleProtocolSpec>& simple_protocol_fields();
const Fields<network::DirectSpec>& direct_fields();
const Fields<network::NvlsSpec>& nvls_fields();
const Fields<network::TunerSpec>& tuner_fields();

// The kernel model (kernel_model_fields.cpp).
const Fields<gpu::KernelSpec>& kernel_model_fields();
const Fields<gpu::BlockLifeSpec>& block_life_fields();
const Fields<gpu::ColdSpec>& cold_fields();
const Fields<gpu::FetchSpec>& fetch_fields();
const Fields<gpu::IssueSpec>& issue_fields();
const Fields<gpu::PipeSpec>& pipe_fields();
const Fields<gpu::MemorySpec>& memory_fields();

// The operator and the power model (operator_fields.cpp).
const Fields<gpu::TensorSpec>& tensor_fields();
const Fields<gpu::OperatorSpec>& operator_fields();
const Fields<gpu::PipelineSpec>& pipeline_fields();
const Fields<gpu::GemmSpec>& gemm_fields();
const Fields<gpu::CudnnSpec>& cudnn_fields();
const Fields<gpu::Flash3Spec>& flash3_fields();
const Fields<gpu::RowwiseSpec>& rowwise_fields();
const Fields<gpu::CallSpec>& call_fields();
const Fields<gpu::PowerSpec>& power_fields();

}  // namespace septet::config
