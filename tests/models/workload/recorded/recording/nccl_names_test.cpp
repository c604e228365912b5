#include "models/workload/recorded/recording/nccl_names.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

TEST(NcclNames, OfKernelsSayWhichCollectiveTheyAre) {
  EXPECT_EQ(nccl_op("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
            CollectiveOp::kAllReduce);
  EXPECT_EQ(nccl_op("ncclKernel_AllGather_RING_LL_Sum_int8_t"), CollectiveOp::kAllGather);
  EXPECT_EQ(nccl_op("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL"), CollectiveOp::kReduceScatter);
  EXPECT_EQ(nccl_op("ncclDevKernel_Broadcast_RING_LL"), CollectiveOp::kBroadcast);
  EXPECT_EQ(nccl_op("ncclDevKernel_SendRecv"), CollectiveOp::kSendReceive);
  EXPECT_EQ(nccl_op("ncclDevKernel_Generic"), std::nullopt);
  EXPECT_EQ(nccl_op("AllReduce"), std::nullopt);
}

}  // namespace
}  // namespace septet::test
