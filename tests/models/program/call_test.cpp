#include "models/program/call.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/calls.hpp"

namespace septet::test {
namespace {

TEST(CallKinds, StandInTheOrderOfTheirStructs) {
  const auto kind = [](const decltype(Call::what)& what) { return Call{.what = what}.kind(); };
  EXPECT_EQ(kind(HostWork{}), CallKind::kHostWork);
  EXPECT_EQ(kind(OtherApiCall{}), CallKind::kApi);
  EXPECT_EQ(kind(LaunchKernel{}), CallKind::kLaunchKernel);
  EXPECT_EQ(kind(LaunchGraph{}), CallKind::kLaunchGraph);
  EXPECT_EQ(kind(UploadGraph{}), CallKind::kUploadGraph);
  EXPECT_EQ(kind(InstantiateGraph{}), CallKind::kInstantiateGraph);
  EXPECT_EQ(kind(Copy{}), CallKind::kCopy);
  EXPECT_EQ(kind(Memset{}), CallKind::kMemset);
  EXPECT_EQ(kind(RecordEvent{}), CallKind::kRecordEvent);
  EXPECT_EQ(kind(WaitEvent{}), CallKind::kWaitEvent);
  EXPECT_EQ(kind(SynchronizeEvent{}), CallKind::kSynchronizeEvent);
  EXPECT_EQ(kind(SynchronizeStream{}), CallKind::kSynchronizeStream);
  EXPECT_EQ(kind(SynchronizeDevice{}), CallKind::kSynchronizeDevice);
  EXPECT_EQ(kind(Post{}), CallKind::kPost);
  EXPECT_EQ(kind(Await{}), CallKind::kAwait);
  EXPECT_EQ(kind(PushItem{}), CallKind::kPushItem);
  EXPECT_EQ(kind(AwaitItems{}), CallKind::kAwaitItems);
  EXPECT_EQ(kind(Marker{}), CallKind::kMarker);
  EXPECT_EQ(kind(JoinCollective{}), CallKind::kCollective);
}

TEST(CallKinds, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const CallKind kind : values_of<CallKind>()) {
    names.insert(name_of(kind));
    EXPECT_EQ(from_text<CallKind>(text_of(kind)), kind);
  }
  EXPECT_EQ(names.size(), kEnumSize<CallKind>);
  EXPECT_EQ(name_of(CallKind::kHostWork), "host work");
  EXPECT_EQ(text_of(CallKind::kHostWork), "host_work");
}

// Whatever a call names, it is the index that `index_in` finds.
TEST(Calls, NameOneIndexOrNone) {
  std::set<CallKind> without;
  for (const CallKind kind : values_of<CallKind>()) {
    const Call call = call_of(kind, 7);
    const std::uint32_t* index = index_in(call);
    if (index == nullptr) {
      without.insert(kind);
    } else {
      EXPECT_EQ(*index, 7U) << name_of(kind);
    }
  }
  EXPECT_EQ(without, (std::set{CallKind::kHostWork, CallKind::kApi, CallKind::kCopy,
                               CallKind::kMemset, CallKind::kSynchronizeStream}));
}

TEST(CallKinds, HostWorkAndHandOffsAreTheSpaceBetweenCalls) {
  for (const CallKind kind : values_of<CallKind>()) {
    const bool space =
        kind == CallKind::kHostWork || kind == CallKind::kPost || kind == CallKind::kAwait;
    EXPECT_EQ(shown_in_traces(kind), !space) << name_of(kind);
  }
}

}  // namespace
}  // namespace septet::test
