// Who says how long the keys and values of a prompt take from a prefill engine to a decode engine.
#pragma once

#include <cstdint>

#include "core/base/quantity.hpp"

namespace septet::serving {

class KvTransfer {
 public:
  virtual ~KvTransfer() = default;

  // Of all GPUs of both engines, on links that nothing else uses. A pure function of `tokens`.
  // Called from several threads.
  virtual Duration time(std::int64_t tokens) const = 0;
};

}  // namespace septet::serving
