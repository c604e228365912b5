// The declarations of operators, as everything that reads and writes them goes by.
#include "models/program/operators/operator_kinds.hpp"

#include <map>
#include <set>

#include "models/program/instruction_work.hpp"
#include "tests/core/base/round_trip.hpp"

namespace septet::testing {
namespace {

const program::OperatorKind& kind(const char* name) { return *program::operator_kind(name); }

TEST(OperatorTexts, ComeBack) {
  expect_round_trip<program::DataType>();
  expect_round_trip<program::Library>();
  expect_round_trip<program::AttentionPhase>();
  expect_round_trip<program::RowOperator>();
  expect_round_trip<program::Pipe>();
}

TEST(OperatorKinds, AreFoundByNameAndAliasOfWhichNoneIsThereTwice) {
  std::set<std::string> names;
  for (const program::OperatorKind& one : program::operator_kinds()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_EQ(program::operator_kind(one.name), &one);
    for (const std::string& alias : one.aliases) {
      EXPECT_TRUE(names.insert(alias).second) << alias;
      EXPECT_EQ(program::operator_kind(alias), &one);
    }
  }
  EXPECT_EQ(program::operator_kind("gemmm"), nullptr);
}

TEST(OperatorKinds, OfEveryAlternativeAreThere) {
  std::set<std::size_t> seen;
  for (const program::OperatorKind& one : program::operator_kinds())
    seen.insert(one.preset.index());
  EXPECT_EQ(seen.size(), std::variant_size_v<program::Operator>);
}

TEST(OperatorKinds, FieldsHaveMembersOfTheirOwn) {
  for (const program::OperatorKind& one : program::operator_kinds()) {
    program::Operator op = one.preset;
    for (std::size_t i = 0; i < one.fields.size(); ++i) {
      one.fields[i].set(op, one.fields[i].flag ? 1.0 : 2.0 + static_cast<double>(i));
    }
    for (std::size_t i = 0; i < one.fields.size(); ++i) {
      const double value = one.fields[i].get(op);
      EXPECT_EQ(value, one.fields[i].flag ? 1.0 : 2.0 + static_cast<double>(i))
          << one.name << ' ' << one.fields[i].key;
    }
  }
}

// One flag of the command line serves all operators.
TEST(OperatorKinds, AKeyMeansTheSameWithEveryOperator) {
  std::map<std::string, const program::ShapeField*> first;
  for (const program::OperatorKind& one : program::operator_kinds()) {
    for (const program::ShapeField& field : one.fields) {
      const program::ShapeField& other = *first.try_emplace(field.key, &field).first->second;
      EXPECT_EQ(field.meaning, other.meaning) << one.name << ' ' << field.key;
      EXPECT_EQ(field.most, other.most) << one.name << ' ' << field.key;
      EXPECT_EQ(field.flag, other.flag) << one.name << ' ' << field.key;
    }
  }
}

TEST(OperatorKinds, NameFieldsThatTheyHave) {
  for (const program::OperatorKind& one : program::operator_kinds()) {
    EXPECT_NE(one.field(one.joined_by), nullptr) << one.name;
    for (const auto& extent : one.measured.extents) {
      EXPECT_NE(one.field(extent.key), nullptr) << one.name << ' ' << extent.key;
    }
    for (const program::ShapeField& field : one.fields) {
      if (field.like.empty()) continue;
      ASSERT_NE(one.field(field.like), nullptr) << one.name << ' ' << field.like;
      EXPECT_LT(one.field(field.like), &field) << "the field that it is as large as comes first";
    }
  }
}

TEST(OperatorKinds, RowsAreAnsweredByTheNameThatTheyGive) {
  EXPECT_EQ(program::measured_operator("attention_decode_gqa"),
            program::operator_kind("attention_decode"));
  EXPECT_EQ(program::operator_kind("attention_decode_gqa"), nullptr);
  EXPECT_EQ(program::measured_operator("convolution_backward"), nullptr);
}

TEST(OperandBytes, CountEachOperandAndResultOnce) {
  // (2 x 4) + (3 x 4) elements of one byte, 2 x 3 of two.
  EXPECT_EQ(bytes_of_call(program::Gemm{.m = 2, .n = 3, .k = 4, .type = program::DataType::kFp8}),
            20 + 12);
  // Keys and values of 2 heads, queries and outputs of 4: 10 and 1 positions of 8 elements.
  EXPECT_EQ(bytes_of_call(program::Attention{.phase = program::AttentionPhase::kDecode,
                                             .batch = 3,
                                             .heads = 4,
                                             .kv_heads = 2,
                                             .keys = 10,
                                             .dim = 8}),
            2 * 3 * 8 * (2 * 10 + 4) * 2);
  // 5 x 7 x 7 inputs, 6 x 5 x 9 weights, 6 x 7 x 7 outputs.
  EXPECT_EQ(bytes_of_call(program::Convolution{.in_channels = 5,
                                               .height = 7,
                                               .width = 7,
                                               .out_channels = 6,
                                               .kernel_height = 3,
                                               .kernel_width = 3}),
            2 * (5 * 49 + 6 * 5 * 9 + 6 * 49));
  // Two inputs of four bytes and an output of two.
  EXPECT_EQ(bytes_of_call(program::Elementwise{.elements = 10,
                                               .inputs = 2,
                                               .type = program::DataType::kFp32,
                                               .output_type = program::DataType::kBf16}),
            10 * (8 + 2));
  EXPECT_EQ(bytes_of_call(
                program::Rowwise{.what = program::RowOperator::kSoftmax, .rows = 3, .columns = 5}),
            60);
  EXPECT_EQ(bytes_of_call(
                program::Rowwise{.what = program::RowOperator::kArgmax, .rows = 3, .columns = 5}),
            30);
  EXPECT_EQ(
      bytes_of_call(program::Gather{.rows = 3, .columns = 5, .type = program::DataType::kFp32}),
      120);
  EXPECT_EQ(bytes_of_call(program::SumAll{.elements = 10}), 20);
}

TEST(GraphBytes, OfProductsCountWeightsForEachCall) {
  const program::Gemm gemm{.m = 2, .n = 3, .k = 4};
  EXPECT_EQ(bytes_of_graph(gemm, 1), bytes_of_call(gemm));
  EXPECT_EQ(bytes_of_graph(gemm, 6), bytes_of_call(gemm) + 5 * 3 * 4 * 2);
  // Activations come in two bytes and are written in one.
  const program::Gemm narrow{.m = 2, .n = 3, .k = 4, .type = program::DataType::kFp8};
  EXPECT_EQ(bytes_of_graph(narrow, 1), 3 * 4 + 2 * 4 * 3 + 2 * 3 * 2);
}

TEST(GraphBytes, OfAttentionCountTheCache) {
  program::Attention prefill{
      .batch = 3, .heads = 4, .kv_heads = 2, .queries = 10, .keys = 10, .dim = 8};
  // Queries and outputs, keys and values as computed and in the cache.
  EXPECT_EQ(bytes_of_graph(prefill, 1), 2 * 3 * 10 * 8 * (2 * 4 + 4 * 2));
  prefill.phase = program::AttentionPhase::kDecode;
  EXPECT_EQ(bytes_of_graph(prefill, 1), 2 * 3 * 10 * 8 * (2 * 2));
}

TEST(OperatorMistakes, NameTheFieldAndWhatIsWanted) {
  const auto key = [](const program::Operator& what) {
    const auto mistake = mistake_of(what);
    return mistake ? mistake->key : "none";
  };
  program::Attention attention{.heads = 8, .kv_heads = 2, .queries = 4, .keys = 4};
  EXPECT_EQ(key(attention), "none");
  attention.kv_heads = 3;
  EXPECT_EQ(key(attention), "kv_heads");
  attention.kv_heads = 2;
  attention.queries = 5;
  EXPECT_EQ(key(attention), "seq");
  attention.queries = attention.keys = 1 << 20;
  attention.batch = 256;  // 2^31 rows of queries
  EXPECT_EQ(key(attention), "none");
  attention.batch = 257;
  EXPECT_EQ(key(attention), "batch");
  program::Convolution convolution{.in_channels = 64, .height = 8, .width = 8, .stride = 8};
  EXPECT_EQ(key(convolution), "none");
  convolution.stride = 9;
  EXPECT_EQ(key(convolution), "stride");
  EXPECT_EQ(key(kind("softmax").preset), "none");
}

}  // namespace
}  // namespace septet::testing
