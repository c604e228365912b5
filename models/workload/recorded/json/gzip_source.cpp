#include "models/workload/recorded/json/gzip_source.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.hpp"

namespace septet::recorded {
namespace {

constexpr std::size_t kPackedBuffer = std::size_t{64} << 10;
constexpr int kGzipWindow = 15 + 16;  // largest window, gzip header required

}  // namespace

GzipSource::GzipSource(InputFile file) : file_(std::move(file)), packed_(kPackedBuffer) {
  if (inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
}

GzipSource::~GzipSource() { inflateEnd(&stream_); }

void GzipSource::refuse(const std::string& reason) const {
  const std::int64_t byte = file_.offset() - static_cast<std::int64_t>(stream_.avail_in);
  throw ConfigError({.file = file_.path(), .byte = byte},
                    "the gzip data are damaged: " + reason + " (byte of the compressed file)");
}

bool GzipSource::fill() {
  if (stream_.avail_in > 0) return true;
  const std::size_t got = file_.read(packed_);
  stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
  stream_.avail_in = static_cast<uInt>(got);
  return got > 0;
}

std::size_t GzipSource::read(std::span<char> into) {
  std::size_t written = 0;
  while (written < into.size() && !done_) {
    const std::size_t room =
        std::min<std::size_t>(into.size() - written, std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(into.data() + written);
    stream_.avail_out = static_cast<uInt>(room);
    step();
    written += room - stream_.avail_out;
  }
  return written;
}

void GzipSource::step() {
  if (!fill()) {
    cut_short_ = in_member_;
    done_ = true;
    return;
  }
  if (!in_member_) return end_member();
  const int code = inflate(&stream_, Z_NO_FLUSH);
  if (code == Z_MEM_ERROR) throw std::bad_alloc();
  if (code == Z_STREAM_END) {
    in_member_ = false;
  } else if (code != Z_OK && code != Z_BUF_ERROR) {
    refuse(stream_.msg != nullptr ? stream_.msg : "unknown code");
  }
}

// Called with at least one byte after a finished member. The magic's second byte may lie beyond
// the buffer, so the first decides; what isn't a member after all is refused by inflate.
void GzipSource::end_member() {
  if (*stream_.next_in != 0x1f) return skip_trailer();
  if (inflateReset(&stream_) != Z_OK) refuse("state lost");
  in_member_ = true;
}

void GzipSource::skip_trailer() {
  while (fill()) {
    const Bytef* begin = stream_.next_in;
    const auto zeros = std::count(begin, begin + stream_.avail_in, Bytef{0});
    trailing_bytes_ += stream_.avail_in - static_cast<std::uint64_t>(zeros);
    stream_.avail_in = 0;
  }
  done_ = true;
}

}  // namespace septet::recorded
