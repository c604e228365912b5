#include "models/workload/recorded/kineto/cuda_names.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

TEST(ApiNames, OfLaunchesAreKnownInEverySpelling) {
  for (const char* name : {"cudaLaunchKernel", "cudaLaunchKernelExC", "cudaLaunchKernel_ptsz",
                           "cuLaunchKernel", "cuLaunchKernelEx", "cudaLaunchCooperativeKernel",
                           "hipLaunchKernel", "hipExtModuleLaunchKernel", "hipModuleLaunchKernel",
                           "hipExtLaunchKernel", "hipHccModuleLaunchKernel"}) {
    EXPECT_EQ(api_kind(name), ApiKind::kLaunch) << name;
  }
  for (const char* name : {"cudaGraphLaunch", "cuGraphLaunch_ptsz", "hipGraphLaunch"}) {
    EXPECT_EQ(api_kind(name), ApiKind::kLaunchGraph) << name;
  }
  EXPECT_EQ(api_kind("cudaLaunchHostFunc"), ApiKind::kOther);
}

TEST(ApiNames, OfCopiesBlockUnlessTheyAreAsynchronous) {
  EXPECT_EQ(api_kind("cudaMemcpy"), ApiKind::kBlockingCopy);
  EXPECT_EQ(api_kind("cuMemcpyHtoD_v2"), ApiKind::kBlockingCopy);
  EXPECT_EQ(api_kind("hipMemcpyWithStream"), ApiKind::kBlockingCopy);
  EXPECT_EQ(api_kind("cudaMemcpyAsync"), ApiKind::kCopy);
  EXPECT_EQ(api_kind("cuMemcpyDtoHAsync_v2"), ApiKind::kCopy);
  EXPECT_EQ(api_kind("cudaMemsetAsync"), ApiKind::kMemset);
}

TEST(ApiNames, OfSynchronisationsSayWhatIsWaitedFor) {
  EXPECT_EQ(api_kind("cudaStreamSynchronize"), ApiKind::kSynchronizeStream);
  EXPECT_EQ(api_kind("hipDeviceSynchronize"), ApiKind::kSynchronizeDevice);
  EXPECT_EQ(api_kind("cuCtxSynchronize"), ApiKind::kSynchronizeDevice);
  EXPECT_EQ(api_kind("cudaEventSynchronize"), ApiKind::kSynchronizeEvent);
  EXPECT_EQ(api_kind("cudaStreamWaitEvent"), ApiKind::kWaitEvent);
  EXPECT_EQ(api_kind("cudaEventRecordWithFlags"), ApiKind::kRecordEvent);
  EXPECT_EQ(api_kind("cudaEventQuery"), ApiKind::kOther);
}

TEST(ApiNames, OnlyOfTheExtendedLaunchCanBeProgrammatic) {
  EXPECT_TRUE(may_be_programmatic("cudaLaunchKernelExC"));
  EXPECT_TRUE(may_be_programmatic("cuLaunchKernelEx"));
  EXPECT_FALSE(may_be_programmatic("cudaLaunchKernel"));
}

TEST(CopyNames, SayDirectionAndHostMemory) {
  using enum CopyDirection;
  EXPECT_EQ(copy_direction("Memcpy HtoD (Pinned -> Device)"), kHostToDevice);
  EXPECT_EQ(copy_direction("Memcpy DtoH (Device -> Pageable)"), kDeviceToHost);
  EXPECT_EQ(copy_direction("Memcpy DtoD (Device -> Device)"), kDeviceToDevice);
  EXPECT_EQ(copy_direction("Memcpy PtoP (Device -> Device)"), kDeviceToDevice);
  EXPECT_EQ(copy_direction("Memcpy HtoH"), kHostToHost);
  EXPECT_EQ(copy_direction("Memcpy"), std::nullopt);
  EXPECT_EQ(copy_direction("Memset (Device)"), std::nullopt);
  EXPECT_EQ(copy_direction("Memcpy XtoD"), std::nullopt);
  EXPECT_TRUE(copies_pageable_memory("Memcpy HtoD (Pageable -> Device)"));
  EXPECT_FALSE(copies_pageable_memory("Memcpy HtoD (Pinned -> Device)"));
}

}  // namespace
}  // namespace septet::test
