// What a row of table /copies moved where.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/base/enum_texts.hpp"
#include "models/program/program.hpp"

namespace septet::records {

// The directions of a copy, then what is no copy.
enum class CopyKind : std::uint8_t {
  kHostToDevice,
  kDeviceToHost,
  kDeviceToDevice,
  kHostToHost,
  kMemset
};
constexpr auto enum_table(std::type_identity<CopyKind>) {
  return enum_texts<CopyKind>("host_to_device", "device_to_host", "device_to_device",
                              "host_to_host", "memset");
}

static_assert(static_cast<CopyKind>(program::CopyDirection::kHostToHost) == CopyKind::kHostToHost);
constexpr CopyKind copy_kind(program::CopyDirection direction) {
  return static_cast<CopyKind>(direction);
}

// As the PyTorch profiler names such activities, which is where its readers find the direction.
constexpr std::string_view profiler_name(CopyKind kind) {
  constexpr std::array<std::string_view, kEnumSize<CopyKind>> kNames = {
      "Memcpy HtoD", "Memcpy DtoH", "Memcpy DtoD", "Memcpy HtoH", "Memset"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace septet::records
