#include "models/workload/recorded/recording/cuda_names.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

TEST(ApiNames, OfLaunchesAreKnownInEverySpelling) {
  for (const char* name : {"cudaLaunchKernel", "cudaLaunchKernelExC", "cudaLaunchKernel_ptsz",
                           "cuLaunchKernel", "cuLaunchKernelEx", "cudaLaunchCooperativeKernel",
                           "hipLaunchKernel", "hipExtModuleLaunchKernel", "hipModuleLaunchKernel",
                           "hipExtLaunchKernel", "hipHccModuleLaunchKernel"}) {
    EXPECT_EQ(recorded::api_kind(name), recorded::ApiKind::kLaunch) << name;
  }
  for (const char* name : {"cudaGraphLaunch", "cuGraphLaunch_ptsz", "hipGraphLaunch"}) {
    EXPECT_EQ(recorded::api_kind(name), recorded::ApiKind::kLaunchGraph) << name;
  }
  EXPECT_EQ(recorded::api_kind("cudaLaunchHostFunc"), recorded::ApiKind::kOther);
}

TEST(ApiNames, OfCopiesBlockUnlessTheyAreAsynchronous) {
  EXPECT_EQ(recorded::api_kind("cudaMemcpy"), recorded::ApiKind::kBlockingCopy);
  EXPECT_EQ(recorded::api_kind("cuMemcpyHtoD_v2"), recorded::ApiKind::kBlockingCopy);
  EXPECT_EQ(recorded::api_kind("hipMemcpyWithStream"), recorded::ApiKind::kBlockingCopy);
  EXPECT_EQ(recorded::api_kind("cudaMemcpyAsync"), recorded::ApiKind::kCopy);
  EXPECT_EQ(recorded::api_kind("cuMemcpyDtoHAsync_v2"), recorded::ApiKind::kCopy);
  EXPECT_EQ(recorded::api_kind("cudaMemsetAsync"), recorded::ApiKind::kMemset);
}

TEST(ApiNames, OfSynchronisationsSayWhatIsWaitedFor) {
  EXPECT_EQ(recorded::api_kind("cudaStreamSynchronize"), recorded::ApiKind::kSynchronizeStream);
  EXPECT_EQ(recorded::api_kind("hipDeviceSynchronize"), recorded::ApiKind::kSynchronizeDevice);
  EXPECT_EQ(recorded::api_kind("cuCtxSynchronize"), recorded::ApiKind::kSynchronizeDevice);
  EXPECT_EQ(recorded::api_kind("cudaEventSynchronize"), recorded::ApiKind::kSynchronizeEvent);
  EXPECT_EQ(recorded::api_kind("cudaStreamWaitEvent"), recorded::ApiKind::kWaitEvent);
  EXPECT_EQ(recorded::api_kind("cudaEventRecordWithFlags"), recorded::ApiKind::kRecordEvent);
  EXPECT_EQ(recorded::api_kind("cudaEventQuery"), recorded::ApiKind::kOther);
}

TEST(ApiNames, OnlyOfTheExtendedLaunchCanBeProgrammatic) {
  EXPECT_TRUE(recorded::may_be_programmatic("cudaLaunchKernelExC"));
  EXPECT_TRUE(recorded::may_be_programmatic("cuLaunchKernelEx"));
  EXPECT_FALSE(recorded::may_be_programmatic("cudaLaunchKernel"));
}

TEST(CopyNames, SayDirectionAndHostMemory) {
  using enum program::CopyDirection;
  EXPECT_EQ(recorded::copy_direction("Memcpy HtoD (Pinned -> Device)"), kHostToDevice);
  EXPECT_EQ(recorded::copy_direction("Memcpy DtoH (Device -> Pageable)"), kDeviceToHost);
  EXPECT_EQ(recorded::copy_direction("Memcpy DtoD (Device -> Device)"), kDeviceToDevice);
  EXPECT_EQ(recorded::copy_direction("Memcpy PtoP (Device -> Device)"), kDeviceToDevice);
  EXPECT_EQ(recorded::copy_direction("Memcpy HtoH"), kHostToHost);
  EXPECT_EQ(recorded::copy_direction("Memcpy"), std::nullopt);
  EXPECT_EQ(recorded::copy_direction("Memset (Device)"), std::nullopt);
  EXPECT_EQ(recorded::copy_direction("Memcpy XtoD"), std::nullopt);
  EXPECT_TRUE(recorded::copies_pageable_memory("Memcpy HtoD (Pageable -> Device)"));
  EXPECT_FALSE(recorded::copies_pageable_memory("Memcpy HtoD (Pinned -> Device)"));
}

}  // namespace
}  // namespace septet::test
