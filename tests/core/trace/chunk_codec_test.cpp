#include "core/trace/chunk_codec.hpp"

#include <cstddef>
#include <cstring>

#include <gtest/gtest.h>

#include "core/base/random.hpp"

namespace septet::trace {
namespace {

using ByteVector = std::vector<std::byte>;

// What HDF5's filters do when they read: inflate, then put the bytes of each value together.
ByteVector unpacked(std::span<const std::byte> packed, std::size_t length, std::size_t value_size) {
  ByteVector shuffled(length);
  uLongf out = length;
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(shuffled.data()), &out,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  EXPECT_EQ(out, length);
  ByteVector values(length);
  const std::size_t count = length / value_size;
  for (std::size_t i = 0; i < length; ++i) values[i % count * value_size + i / count] = shuffled[i];
  return values;
}

ByteVector random_bytes(std::size_t length, std::uint64_t bound) {
  RandomStream random({6, 0, 0});
  ByteVector bytes(length);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(bound));
  return bytes;
}

TEST(ChunkCodec, GathersAColumnInItsType) {
  struct Row {
    std::int32_t whole;
    std::uint8_t flag;
    float real;
  };
  const std::vector<Row> rows = {{1, 7, 0.5F}, {-2, 8, 1.5F}, {3, 9, 2.5F}};
  const auto gathered = [&](ColumnType type, std::size_t offset, auto first) {
    std::vector<decltype(first)> out(rows.size());
    ChunkCodec codec(1);
    const auto bytes = codec.gather({std::as_bytes(std::span(rows)), sizeof(Row), offset}, type);
    EXPECT_EQ(bytes.size(), sizeof(first) * rows.size());
    std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  };
  EXPECT_EQ(gathered(ColumnType::kInt32, offsetof(Row, whole), std::int32_t{}),
            (std::vector<std::int32_t>{1, -2, 3}));
  EXPECT_EQ(gathered(ColumnType::kUint8, offsetof(Row, flag), std::uint8_t{}),
            (std::vector<std::uint8_t>{7, 8, 9}));
  EXPECT_EQ(gathered(ColumnType::kFloat32, offsetof(Row, real), float{}),
            (std::vector<float>{0.5F, 1.5F, 2.5F}));
}

TEST(ChunkCodec, PacksToWhatHdf5Unpacks) {
  ChunkCodec codec(1);
  for (const std::size_t value_size : {1U, 4U, 8U}) {
    for (const Search search : {Search::kFull, Search::kRuns}) {
      for (const std::uint64_t bound : {1U, 5U, 256U}) {  // constant, repetitive, noise
        const ByteVector values = random_bytes(8000, bound);
        const auto packed = codec.pack(values, value_size, search);
        EXPECT_EQ(unpacked(packed, values.size(), value_size), values);
      }
    }
  }
}

TEST(SearchChoice, LooksForRunsInNoiseAndForPatternsInLoops) {
  const ByteVector noise = random_bytes(65536, 256);
  ByteVector loop = random_bytes(97, 256);  // a pattern of 97 values, again and again
  while (loop.size() < 65536) loop.push_back(loop[loop.size() - 97]);
  ChunkCodec codec(1);
  SearchChoice choice;
  for (int chunk = 0; chunk < 3; ++chunk) {
    EXPECT_EQ(unpacked(choice.pack(codec, noise, 1), noise.size(), 1), noise);
  }
  SearchChoice other;
  for (int chunk = 0; chunk < 3; ++chunk) {
    const auto packed = other.pack(codec, loop, 1);
    EXPECT_LT(packed.size(), 2000U);  // 97 bytes and one match for every 258 bytes
    EXPECT_EQ(unpacked(packed, loop.size(), 1), loop);
  }
}

}  // namespace
}  // namespace septet::trace
