#include "models/workload/requests/synthetic_workload.hpp"

#include <gtest/gtest.h>

namespace septet::requests {
namespace {

SyntheticWorkload drawn(std::uint64_t requests) {
  SyntheticWorkload spec;
  spec.requests = requests;
  spec.input = {LengthKind::kUniform, 0, 10, 1000};
  spec.output = {LengthKind::kUniform, 0, 10, 1000};
  return spec;
}

TEST(SyntheticWorkload, OtherAnswersLeaveAllElseAsItIs) {
  SyntheticWorkload spec = drawn(50);
  const Workload before = synthetic_workload(spec, 1);
  spec.output = {LengthKind::kFixed, 5};
  spec.requests = 60;
  const Workload after = synthetic_workload(spec, 1);
  for (std::size_t i = 0; i < before.requests.size(); ++i) {
    EXPECT_EQ(before.requests[i].arrival, after.requests[i].arrival);
    EXPECT_EQ(before.requests[i].input_tokens, after.requests[i].input_tokens);
  }
}

TEST(SyntheticWorkload, AnotherSeedDrawsOtherRequests) {
  const Workload one = synthetic_workload(drawn(5), 1);
  const Workload other = synthetic_workload(drawn(5), 2);
  EXPECT_NE(one.requests[0].input_tokens, other.requests[0].input_tokens);
  EXPECT_NE(one.requests[0].arrival, other.requests[0].arrival);
}

TEST(SyntheticWorkload, ATurnRepeatsAllThatWasSaid) {
  SyntheticWorkload spec;
  spec.requests = 1;
  spec.input.tokens = 100;
  spec.output.tokens = 10;
  spec.turns.count = 3;
  spec.prefix = {50, 1};
  const std::vector<Request> turns = synthetic_workload(spec, 1).requests;
  ASSERT_EQ(turns.size(), 3U);
  EXPECT_EQ(turns[0].input_tokens, 150);
  EXPECT_EQ(turns[1].input_tokens, 150 + 10 + 100);
  EXPECT_EQ(turns[2].input_tokens, 260 + 10 + 100);
  EXPECT_EQ(turns[0].follows, kNoRequest);
  EXPECT_EQ(turns[2].follows, 1);
  EXPECT_EQ(turns[2].pieces, turns[0].pieces);
  EXPECT_EQ(turns[0].pieces.front(), (Piece{50, 0}));
  EXPECT_EQ(turns[0].pieces.back(), (Piece{kAllTokens, 1}));
}

TEST(SyntheticWorkload, LengthsOfAFileAreTakenInTurn) {
  SyntheticWorkload spec;
  spec.requests = 3;
  spec.lengths = {{5, 6}, {7, 8}};
  const std::vector<Request> requests = synthetic_workload(spec, 1).requests;
  EXPECT_EQ(requests[1].input_tokens, 7);
  EXPECT_EQ(requests[2].output_tokens, 6);
}

TEST(SyntheticWorkload, ADurationEndsTheArrivals) {
  SyntheticWorkload spec;
  spec.duration = from_seconds(10);
  spec.arrivals = {ArrivalKind::kConstant, 1};
  EXPECT_EQ(synthetic_workload(spec, 1).requests.size(), 9U);
}

}  // namespace
}  // namespace septet::requests
