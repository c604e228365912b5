#include "models/program/call.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/calls.hpp"

namespace septet::test {
namespace {

TEST(CallKinds, StandInTheOrderOfTheirStructs) {
  const auto kind = [](const decltype(program::Call::what)& what) {
    return program::Call{.what = what}.kind();
  };
  EXPECT_EQ(kind(program::HostWork{}), program::CallKind::kHostWork);
  EXPECT_EQ(kind(program::OtherApiCall{}), program::CallKind::kApi);
  EXPECT_EQ(kind(program::LaunchKernel{}), program::CallKind::kLaunchKernel);
  EXPECT_EQ(kind(program::LaunchGraph{}), program::CallKind::kLaunchGraph);
  EXPECT_EQ(kind(program::UploadGraph{}), program::CallKind::kUploadGraph);
  EXPECT_EQ(kind(program::InstantiateGraph{}), program::CallKind::kInstantiateGraph);
  EXPECT_EQ(kind(program::Copy{}), program::CallKind::kCopy);
  EXPECT_EQ(kind(program::Memset{}), program::CallKind::kMemset);
  EXPECT_EQ(kind(program::RecordEvent{}), program::CallKind::kRecordEvent);
  EXPECT_EQ(kind(program::WaitEvent{}), program::CallKind::kWaitEvent);
  EXPECT_EQ(kind(program::SynchronizeEvent{}), program::CallKind::kSynchronizeEvent);
  EXPECT_EQ(kind(program::SynchronizeStream{}), program::CallKind::kSynchronizeStream);
  EXPECT_EQ(kind(program::SynchronizeDevice{}), program::CallKind::kSynchronizeDevice);
  EXPECT_EQ(kind(program::Post{}), program::CallKind::kPost);
  EXPECT_EQ(kind(program::Await{}), program::CallKind::kAwait);
  EXPECT_EQ(kind(program::PushItem{}), program::CallKind::kPushItem);
  EXPECT_EQ(kind(program::AwaitItems{}), program::CallKind::kAwaitItems);
  EXPECT_EQ(kind(program::Marker{}), program::CallKind::kMarker);
  EXPECT_EQ(kind(program::JoinCollective{}), program::CallKind::kCollective);
  EXPECT_EQ(kind(program::Hold{}), program::CallKind::kHold);
  EXPECT_EQ(kind(program::Scope{}), program::CallKind::kScope);
}

TEST(CallKinds, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const program::CallKind kind : values_of<program::CallKind>()) {
    names.insert(name_of(kind));
    EXPECT_EQ(from_text<program::CallKind>(text_of(kind)), kind);
  }
  EXPECT_EQ(names.size(), kEnumSize<program::CallKind>);
  EXPECT_EQ(name_of(program::CallKind::kHostWork), "host work");
  EXPECT_EQ(text_of(program::CallKind::kHostWork), "host_work");
}

// Whatever a call names, it is the index that `index_in` finds.
TEST(Calls, NameOneIndexOrNone) {
  std::set<program::CallKind> without;
  for (const program::CallKind kind : values_of<program::CallKind>()) {
    const program::Call call = call_of(kind, 7);
    const std::uint32_t* index = index_in(call);
    if (index == nullptr) {
      without.insert(kind);
    } else {
      EXPECT_EQ(*index, 7U) << name_of(kind);
    }
  }
  EXPECT_EQ(without, (std::set{program::CallKind::kHostWork, program::CallKind::kApi,
                               program::CallKind::kCopy, program::CallKind::kMemset,
                               program::CallKind::kSynchronizeStream, program::CallKind::kHold}));
}

TEST(CallKinds, HostWorkAndHandOffsAreTheSpaceBetweenCalls) {
  for (const program::CallKind kind : values_of<program::CallKind>()) {
    const bool space = kind == program::CallKind::kHostWork || kind == program::CallKind::kPost ||
                       kind == program::CallKind::kAwait || kind == program::CallKind::kHold ||
                       kind == program::CallKind::kScope;
    EXPECT_EQ(shown_in_traces(kind), !space) << name_of(kind);
  }
}

}  // namespace
}  // namespace septet::test
