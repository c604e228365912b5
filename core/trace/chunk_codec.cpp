#include "core/trace/chunk_codec.hpp"

#include <cstring>

#include "core/base/error.hpp"

namespace septet::trace {
namespace {

// The first `size` bytes of a buffer that only grows: shrinking it would clear bytes repeatedly for
// nothing.
std::span<std::byte> front(std::vector<std::byte>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer.resize(size);
  return std::span(buffer).first(size);
}

// The sizes of values are constants, so that the compiler unrolls the inner loops.
template <std::size_t Size>
std::span<std::byte> gather_values(const ColumnView& view, std::vector<std::byte>& buffer) {
  const std::size_t rows = view.rows.size() / view.row_size;
  const std::span<std::byte> out = front(buffer, rows * Size);
  const std::byte* from = view.rows.data() + view.offset;
  for (std::size_t row = 0; row < rows; ++row, from += view.row_size) {
    std::memcpy(out.data() + row * Size, from, Size);
  }
  return out;
}

template <std::size_t Size>
void shuffle(std::span<const std::byte> values, std::byte* out) {
  const std::size_t count = values.size() / Size;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t byte = 0; byte < Size; ++byte) {
      out[byte * count + i] = values[i * Size + byte];
    }
  }
}

}  // namespace

ChunkCodec::ChunkCodec(int gzip_level) : gzip_level_(gzip_level) {
  SEPTET_ASSERT(gzip_level >= 1 && gzip_level <= 9);
  const int result = deflateInit(&stream_, gzip_level);
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  SEPTET_ASSERT(result == Z_OK);
}

ChunkCodec::~ChunkCodec() { deflateEnd(&stream_); }

std::span<const std::byte> ChunkCodec::gather(const ColumnView& view, ColumnType type) {
  switch (size_of(type)) {
    case 8:
      return gather_values<8>(view, values_);
    case 4:
      return gather_values<4>(view, values_);
    default:
      return gather_values<1>(view, values_);
  }
}

std::span<const std::byte> ChunkCodec::pack(std::span<const std::byte> values,
                                            std::size_t value_size, Search search) {
  SEPTET_ASSERT(value_size == 1 || value_size == 4 || value_size == 8);
  const std::span<std::byte> shuffled = front(shuffled_, values.size());
  if (value_size == 8) shuffle<8>(values, shuffled.data());
  if (value_size == 4) shuffle<4>(values, shuffled.data());
  if (value_size == 1) shuffle<1>(values, shuffled.data());

  SEPTET_ASSERT(deflateReset(&stream_) == Z_OK);
  const int strategy = search == Search::kRuns ? Z_RLE : Z_DEFAULT_STRATEGY;
  SEPTET_ASSERT(deflateParams(&stream_, gzip_level_, strategy) == Z_OK);
  const std::span<std::byte> packed = front(packed_, deflateBound(&stream_, shuffled.size()));
  stream_.next_in = reinterpret_cast<Bytef*>(shuffled.data());
  stream_.avail_in = static_cast<uInt>(shuffled.size());
  stream_.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream_.avail_out = static_cast<uInt>(packed.size());
  SEPTET_ASSERT(deflate(&stream_, Z_FINISH) == Z_STREAM_END);  // the bound leaves room for all
  return packed.first(packed.size() - stream_.avail_out);
}

std::span<const std::byte> SearchChoice::pack(ChunkCodec& codec, std::span<const std::byte> values,
                                              std::size_t value_size) {
  if (chunks_++ % kChunksPerTrial == 0) {
    const std::size_t full = codec.pack(values, value_size, Search::kFull).size();
    const std::span<const std::byte> runs = codec.pack(values, value_size, Search::kRuns);
    search_ = runs.size() <= full + full / 10 ? Search::kRuns : Search::kFull;
    if (search_ == Search::kRuns) return runs;
  }
  return codec.pack(values, value_size, search_);
}

}  // namespace septet::trace
