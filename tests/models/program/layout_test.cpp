#include "models/program/layout.hpp"

#include <gtest/gtest.h>

#include "models/program/builder.hpp"

namespace septet::test {
namespace {

TEST(IndexSet, NumbersItsMembersInOrder) {
  for (const program::IndexSet& set :
       {program::IndexSet({7, 3, 5, 3}), program::IndexSet({4, 3, 5})}) {
    EXPECT_EQ(set.size(), 3U);
    for (std::uint32_t slot = 0; slot < set.size(); ++slot) EXPECT_EQ(set.slot(set[slot]), slot);
    EXPECT_EQ(set[0], 3U);
    EXPECT_TRUE(set.contains(5));
    EXPECT_FALSE(set.contains(2));
    EXPECT_FALSE(set.contains(6));
    EXPECT_FALSE(set.contains(8));
  }
  EXPECT_FALSE(program::IndexSet().contains(0));
}

// Process 1 has streams on both devices, process 0 on device 0 alone.
TEST(Layout, SaysWhoseStreamsAre) {
  program::ProgramBuilder builder;
  builder.stream(0, 1, 1);
  builder.stream(0, 0, 0);
  builder.stream(0, 1, 0);
  builder.thread(1);
  builder.thread(0);
  const program::ProgramLayout layout = lay_out(builder.take());
  ASSERT_EQ(layout.devices.size(), 2U);
  EXPECT_EQ(layout.devices[0].streams.size(), 2U);
  EXPECT_TRUE(layout.devices[0].streams.contains(2));
  EXPECT_EQ(layout.devices[0].processes.size(), 2U);
  EXPECT_EQ(layout.devices[1].processes.size(), 1U);
  EXPECT_EQ(layout.devices[1].processes[0], 1U);
  EXPECT_EQ(layout.processes[1].devices.size(), 2U);
  EXPECT_EQ(layout.processes[1].threads, std::vector<std::uint32_t>{0});
  EXPECT_EQ(layout.processes[0].threads, std::vector<std::uint32_t>{1});
}

// Event 0 is recorded on device 0 and awaited there and on device 1; event 1 nowhere.
TEST(Layout, SaysWhichEventsOtherDevicesWaitFor) {
  program::ProgramBuilder builder;
  builder.stream(0, 0, 0);
  builder.stream(0, 0, 1);
  builder.event();
  builder.event();
  builder.thread();
  builder.record(0, 0);
  builder.wait(0, 0);
  builder.wait(0, 1);
  builder.record(1, 1);
  const program::ProgramLayout layout = lay_out(builder.take());
  EXPECT_EQ(layout.devices[0].listeners, (std::vector<program::EventListener>{{0, 1}}));
  EXPECT_TRUE(layout.devices[1].listeners.empty());
  EXPECT_TRUE(layout.devices[1].awaited_events.contains(0));
  EXPECT_FALSE(layout.devices[1].awaited_events.contains(1));
  EXPECT_EQ(layout.processes[0].events.size(), 2U);
}

}  // namespace
}  // namespace septet::test
