#include <gtest/gtest.h>

#include "models/workload/recorded/import/recording_index.hpp"
#include "tests/models/workload/recorded/recording/recording_maker.hpp"

namespace septet::test {
namespace {

// begin, end, call and last of each piece of thread 0, in microseconds.
std::vector<std::tuple<double, double, std::uint32_t, bool>> pieces(
    const recorded::RecordingIndex& index) {
  std::vector<std::tuple<double, double, std::uint32_t, bool>> found;
  for (const recorded::HostPiece& piece : index.threads[0]) {
    found.emplace_back(to_us(piece.begin), to_us(piece.end), piece.call, piece.last);
  }
  return found;
}

using Pieces = decltype(pieces({}));

TEST(HostSequence, CutsACallInPiecesAroundTheCallsInsideIt) {
  RecordingMaker maker;
  maker.call("cudaLaunchKernelExC", 0, 10, 1);
  maker.call("cuLaunchKernelEx", 2, 6, 2);
  maker.kernel(2, 8, 20);
  // [0, 2] outer, [2, 6] inner, [6, 10] the rest of the outer one, where it takes effect.
  EXPECT_EQ(pieces(index_recording(maker.make())),
            (Pieces{{0, 2, 0, false}, {2, 6, 1, true}, {6, 10, 0, true}}));
}

TEST(HostSequence, TakesTheLongerOfTwoCallsThatBeginTogetherForTheOuterOne) {
  RecordingMaker maker;
  maker.call("inner", 0, 4, 2);
  maker.call("cudaLaunchKernel", 0, 4.5, 1);
  maker.kernel(1, 8, 20);
  EXPECT_EQ(pieces(index_recording(maker.make())), (Pieces{{0, 4, 0, true}, {4, 4.5, 1, true}}));
}

TEST(HostSequence, EndsACallWhereOneThatOutlastsItBegins) {
  RecordingMaker maker;
  maker.call("cudaLaunchKernel", 0, 5, 1);
  maker.call("cudaLaunchKernel", 4, 9, 2);
  maker.kernel(1, 10, 11);
  maker.kernel(2, 12, 13);
  const recorded::RecordingIndex index = index_recording(maker.make());
  EXPECT_EQ(pieces(index), (Pieces{{0, 4, 0, true}, {4, 9, 1, true}}));
  EXPECT_EQ(index.anomalies.at("calls of one thread that overlap"), 1U);
}

TEST(HostSequence, KeepsCallsThatFollowOneAnotherWithoutAGap) {
  RecordingMaker maker;
  maker.call("cudaMalloc", 0, 5, 1);
  maker.call("cudaLaunchKernel", 5, 9, 2);
  maker.kernel(2, 10, 11);
  EXPECT_EQ(pieces(index_recording(maker.make())), (Pieces{{0, 5, 0, true}, {5, 9, 1, true}}));
}

}  // namespace
}  // namespace septet::test
