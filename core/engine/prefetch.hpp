// Asks for memory that will be needed soon.
#pragma once

namespace septet {

// g++ takes a function that does nothing but prefetch for one without effect and drops its calls
// (seen with 12.2 at -O2); the empty statement is an effect that it must keep.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}

}  // namespace septet
