// Prefetches memory that will be needed soon.
#pragma once

namespace septet::engine {

// g++ takes a function that does nothing but prefetch for one without effect and drops its calls
// (seen with 12.2 at -O2); the empty statement is an effect that it must keep.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}

// The same for memory that will be written and that another core may have at present. As machine
// code on x86, because compilers make it an ordinary prefetch unless told of newer processors;
// older ones take it for no operation.
inline void prefetch_for_writing(const void* address) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
  asm volatile("");
#endif
}

}  // namespace septet::engine
