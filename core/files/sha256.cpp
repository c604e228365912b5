#include "core/files/sha256.hpp"

#include <array>
#include <cerrno>
#include <fstream>
#include <memory>
#include <string_view>
#include <vector>

#include <openssl/evp.h>

#include "core/base/error.hpp"
#include "core/files/file_error.hpp"
#include "core/files/input.hpp"

namespace septet::files {
namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    SEPTET_ASSERT(context_ != nullptr);
    SEPTET_ASSERT(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }

  void add(std::string_view bytes) {
    SEPTET_ASSERT(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }

  std::string hexadecimal() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
    unsigned size = 0;
    SEPTET_ASSERT(EVP_DigestFinal_ex(context_.get(), sum.data(), &size) == 1);
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    for (unsigned i = 0; i < size; ++i) {
      out += kDigits[sum[i] >> 4U];
      out += kDigits[sum[i] & 0xFU];
    }
    return out;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256_of_file(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw ConfigError({path.string()}, "cannot be opened: " + reason_of(errno));
  constexpr std::size_t kPiece = 1U << 18U;
  std::vector<char> piece(kPiece);
  Sha256 sum;
  while (stream.read(piece.data(), kPiece) || stream.gcount() > 0) {
    sum.add({piece.data(), static_cast<std::size_t>(stream.gcount())});
  }
  check_read(stream, path.string());
  return sum.hexadecimal();
}

std::string sha256_of_text(std::string_view text) {
  Sha256 sum;
  sum.add(text);
  return sum.hexadecimal();
}

}  // namespace septet::files
