// The texts of the enumerations of topologies.
#include <gtest/gtest.h>

#include "models/network/topology/router.hpp"
#include "models/network/topology/shapes.hpp"

namespace septet::network {
namespace {

template <class Enum>
class TopologyTexts : public testing::Test {};
using Enumerations = testing::Types<VertexKind, CableKind, Routing, PlainShape>;
TYPED_TEST_SUITE(TopologyTexts, Enumerations);

TYPED_TEST(TopologyTexts, AreReadBackAsTheirValues) {
  for (const TypeParam value : values_of<TypeParam>()) {
    EXPECT_EQ(from_text<TypeParam>(text_of(value)), value) << text_of(value);
  }
  EXPECT_FALSE(from_text<TypeParam>("Ring"));
}

}  // namespace
}  // namespace septet::network
