#include "models/workload/recorded/kineto/copy_name.hpp"

namespace septet {
namespace {

constexpr std::string_view kPrefix = "Memcpy ";

constexpr bool is_end(char side) {
  return side == 'H' || side == 'D' || side == 'A' || side == 'P';
}

constexpr CopyDirection direction(bool from_host, bool to_host) {
  if (from_host) return to_host ? CopyDirection::kHostToHost : CopyDirection::kHostToDevice;
  return to_host ? CopyDirection::kDeviceToHost : CopyDirection::kDeviceToDevice;
}

}  // namespace

std::optional<CopyPath> copy_path(std::string_view name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  const std::string_view ends = name.substr(kPrefix.size(), 4);
  if (ends.size() != 4 || ends.substr(1, 2) != "to" || !is_end(ends[0]) || !is_end(ends[3])) {
    return std::nullopt;
  }
  const bool pinned = name.find("Pageable") == std::string_view::npos;
  return CopyPath{direction(ends[0] == 'H', ends[3] == 'H'), pinned};
}

}  // namespace septet
