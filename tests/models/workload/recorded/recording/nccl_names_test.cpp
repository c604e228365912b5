#include "models/workload/recorded/recording/nccl_names.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

TEST(NcclNames, OfKernelsSayWhichCollectiveTheyAre) {
  EXPECT_EQ(recorded::nccl_op(
                "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
            program::CollectiveOp::kAllReduce);
  EXPECT_EQ(recorded::nccl_op("ncclKernel_AllGather_RING_LL_Sum_int8_t"),
            program::CollectiveOp::kAllGather);
  EXPECT_EQ(recorded::nccl_op("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL"),
            program::CollectiveOp::kReduceScatter);
  EXPECT_EQ(recorded::nccl_op("ncclDevKernel_Broadcast_RING_LL"),
            program::CollectiveOp::kBroadcast);
  EXPECT_EQ(recorded::nccl_op("ncclDevKernel_SendRecv"), program::CollectiveOp::kSendReceive);
  EXPECT_EQ(recorded::nccl_op("ncclDevKernel_Generic"), std::nullopt);
  EXPECT_EQ(recorded::nccl_op("AllReduce"), std::nullopt);
}

TEST(NcclNames, OfOtherLibrariesAreKnown) {
  using enum program::CollectiveOp;
  EXPECT_EQ(recorded::nccl_op("ncclAllReduceRingLLKernel_sum_f32(ncclWorkElem)"), kAllReduce);
  EXPECT_EQ(recorded::nccl_op("rcclDevKernel_AllGather"), kAllGather);
  EXPECT_EQ(recorded::nccl_op("void vllm::cross_device_reduce_1stage<__half, 8>(RankData*)"),
            kAllReduce);
  EXPECT_EQ(recorded::nccl_op("void multimem_all_reduce_kernel<c10::BFloat16, 16>"), kAllReduce);
  EXPECT_EQ(recorded::nccl_op("void deep_ep::intranode::dispatch<8, 768>(int4*)"), kAllToAll);
  EXPECT_EQ(recorded::nccl_op("void deep_ep::layout::get_dispatch_layout<256>"), std::nullopt);
  EXPECT_EQ(recorded::nccl_op("void at::native::reduce_kernel<512, 1>"), std::nullopt);
}

TEST(NcclNames, OfPytorchsMetadataSayTheOperation) {
  using enum program::CollectiveOp;
  EXPECT_EQ(recorded::named_op("allreduce"), kAllReduce);
  EXPECT_EQ(recorded::named_op("_allgather_base"), kAllGather);
  EXPECT_EQ(recorded::named_op("_reduce_scatter_base"), kReduceScatter);
  EXPECT_EQ(recorded::named_op("all_to_allv"), kAllToAll);
  EXPECT_EQ(recorded::named_op("barrier"), std::nullopt);
}

}  // namespace
}  // namespace septet::test
