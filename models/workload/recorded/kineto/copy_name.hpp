// What the name of a recorded copy says: "Memcpy HtoD (Pinned -> Device)". Kineto records the
// direction and the kind of host memory nowhere else.
#pragma once

#include <optional>
#include <string_view>

#include "models/program/program.hpp"

namespace septet {

struct CopyPath {
  CopyDirection direction = CopyDirection::kDeviceToDevice;
  bool pinned = true;  // false only where the name says Pageable

  constexpr bool operator==(const CopyPath&) const = default;
};

// Arrays and peers count as device memory. Nothing when the name is of another form.
std::optional<CopyPath> copy_path(std::string_view name);

}  // namespace septet
