#include "core/engine/min_tree.hpp"

#include <gtest/gtest.h>

#include "core/base/random.hpp"

namespace septet::engine {
namespace {

TEST(MinTree, KnowsTheSmallestAfterEveryChange) {
  RandomStream random(RandomKey{.seed = 1});
  for (const std::size_t count : {1U, 2U, 3U, 7U, 8U, 100U}) {
    MinTree<std::uint64_t> tree(count, 50);
    std::vector<std::uint64_t> values(count, 50);
    EXPECT_EQ(tree.smallest(), 50U);
    for (int change = 0; change < 500; ++change) {
      const std::uint64_t place = random.below(count);
      values[place] = random.below(100);
      tree.set(place, values[place]);
      ASSERT_EQ(tree.smallest(), *std::min_element(values.begin(), values.end()));
      ASSERT_EQ(values[tree.index_of_smallest()], tree.smallest());
    }
  }
}

}  // namespace
}  // namespace septet::engine
