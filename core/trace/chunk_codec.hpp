// Converts rows to the bytes of one stored chunk of a column: gathered into an array of the
// column's type, bytes shuffled (all first bytes, then all second bytes, ...), and deflated. That
// is what HDF5's own shuffle and deflate filters store, so any HDF5 reads it; doing it here keeps a
// whole chunk out of HDF5's cache and of its global lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <zlib.h>

#include "core/trace/table.hpp"

namespace septet::trace {

// One column of rows that lie one after the other.
struct ColumnView {
  std::span<const std::byte> rows;
  std::size_t row_size;
  std::size_t offset;  // of the value in a row
};

// How deflate looks for repetitions. Shuffled bytes are mostly runs or noise; runs alone are found
// in half the time. Columns that repeat in longer patterns (a loop of kernels) need the full
// search.
enum class Search : std::uint8_t { kFull, kRuns };

// Not shared between threads; buffers are kept for the next chunk.
class ChunkCodec {
 public:
  explicit ChunkCodec(int gzip_level);
  ~ChunkCodec();
  ChunkCodec(const ChunkCodec&) = delete;
  ChunkCodec& operator=(const ChunkCodec&) = delete;

  // These results are valid until the next call of the same function.
  std::span<const std::byte> gather(const ColumnView& view, ColumnType type);
  std::span<const std::byte> pack(std::span<const std::byte> values, std::size_t value_size,
                                  Search search);

 private:
  int gzip_level_;
  z_stream stream_{};
  std::vector<std::byte> values_;
  std::vector<std::byte> shuffled_;
  std::vector<std::byte> packed_;
};

// Chooses the search for the chunks of one column: compresses every so many-th chunk in both ways
// and takes the quick one where its result is at most a tenth larger. Depends on sizes only, never
// on time, so that a file is the same every time.
class SearchChoice {
 public:
  std::span<const std::byte> pack(ChunkCodec& codec, std::span<const std::byte> values,
                                  std::size_t value_size);

 private:
  static constexpr unsigned kChunksPerTrial = 16;

  Search search_ = Search::kFull;
  unsigned chunks_ = 0;
};

}  // namespace septet::trace
