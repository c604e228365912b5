#include "core/trace/file_seal.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>

#include "core/files/file_error.hpp"
#include "core/trace/hdf5_handle.hpp"

namespace septet::trace {
namespace {

constexpr std::string_view kMagic = "SEPTSEAL";
constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kSumBytes = 4;
static_assert(kMagic.size() + kLengthBytes + kSumBytes == kSealBytes);

struct Seal {
  std::uint64_t length = 0;
  std::uint64_t sum = 0;
};

void append(std::string& out, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xFFU);
}

std::uint64_t number_in(std::string_view bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) {
    out = out << 8U | static_cast<unsigned char>(bytes[i - 1]);
  }
  return out;
}

std::string text_of(const Seal& seal) {
  std::string out(kMagic);
  append(out, seal.length, kLengthBytes);
  append(out, seal.sum, kSumBytes);
  return out;
}

// Of the first `length` bytes.
Seal seal_of(std::istream& file, std::uint64_t length) {
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  std::vector<char> piece(kPiece);
  uLong sum = crc32(0, nullptr, 0);
  file.seekg(0);
  for (std::uint64_t left = length; left > 0;) {
    const auto wanted = static_cast<std::streamsize>(std::min<std::uint64_t>(left, kPiece));
    if (!file.read(piece.data(), wanted)) {
      throw TraceFileError("cannot read it: " + files::reason_of(errno));
    }
    // zlib's own types.
    sum = crc32(sum, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(wanted));
    left -= static_cast<std::uint64_t>(wanted);
  }
  return {length, sum};
}

std::optional<Seal> written_seal(std::istream& file, std::uint64_t size) {
  if (size < kSealBytes) return std::nullopt;
  std::array<char, kSealBytes> bytes{};
  file.seekg(static_cast<std::streamoff>(size - kSealBytes));
  if (!file.read(bytes.data(), bytes.size())) {
    if (file.bad()) throw TraceFileError("cannot read it: " + files::reason_of(errno));
    return std::nullopt;
  }
  const std::string_view text(bytes.data(), bytes.size());
  if (!text.starts_with(kMagic)) return std::nullopt;
  return Seal{number_in(text.substr(kMagic.size(), kLengthBytes)),
              number_in(text.substr(kMagic.size() + kLengthBytes))};
}

}  // namespace

void seal_file(const std::filesystem::path& path) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const std::string text = text_of(seal_of(file, std::filesystem::file_size(path)));
  file.seekp(0, std::ios::end);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) {
    throw TraceFileError("cannot write the checksum at its end: " + files::reason_of(errno));
  }
}

bool check_seal(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::uint64_t size = std::filesystem::file_size(path);
  const std::optional<Seal> written = written_seal(file, size);
  if (!written) return false;
  const Seal found = seal_of(file, size - kSealBytes);
  if (found.length == written->length && found.sum == written->sum) return true;
  throw TraceFileError("damaged: the checksum does not match");
}

}  // namespace septet::trace
