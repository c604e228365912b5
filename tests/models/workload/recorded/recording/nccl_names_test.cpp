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

}  // namespace
}  // namespace septet::test
