#include "core/engine/digest.hpp"

#include <set>

#include <gtest/gtest.h>

namespace septet::engine {
namespace {

constexpr Event kEvent{
    .at = Instant(5), .order = 6, .a = 7, .b = 8, .target = 0, .kind = 9, .tag = 10};

TEST(Digest, ChangesWithEveryFieldOfAnEvent) {
  std::set<std::uint64_t> digests{extend_digest(1, kEvent), extend_digest(2, kEvent)};
  const auto add = [&](auto change) {
    Event changed = kEvent;
    change(changed);
    digests.insert(extend_digest(1, changed));
  };
  add([](Event& event) { event.at = Instant(6); });
  add([](Event& event) { event.order = 7; });
  add([](Event& event) { event.a = 8; });
  add([](Event& event) { event.b = 9; });
  add([](Event& event) { event.kind = 10; });
  add([](Event& event) { event.tag = 11; });
  add([](Event& event) { std::swap(event.a, event.b); });
  add([](Event& event) { std::swap(event.kind, event.tag); });
  EXPECT_EQ(digests.size(), 10U);  // two chains, six changes, two swaps
}

TEST(Digest, ChangesWithTheOrderOfTwoEvents) {
  Event other = kEvent;
  other.order = 11;
  EXPECT_NE(extend_digest(extend_digest(0, kEvent), other),
            extend_digest(extend_digest(0, other), kEvent));
}

TEST(Digest, ChangesWithTheLpThatHandledAnEvent) {
  const std::uint64_t chain = extend_digest(0, kEvent);
  EXPECT_NE(combine_digests(combine_digests(2, chain), 0),
            combine_digests(combine_digests(2, 0), chain));
}

}  // namespace
}  // namespace septet::engine
