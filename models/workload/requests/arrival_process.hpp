// When requests arrive, other than by a log: renewal processes (constant, Poisson, gamma gaps) and
// Poisson processes whose rate changes with time (bursts, a sine over the day).
//
// Gamma gaps of shape k have a coefficient of variation of 1/sqrt(k): below 1 burstier than
// Poisson, above 1 more even (vLLM's benchmark calls k `burstiness`). Changing rates are drawn by
// thinning (Lewis and Shedler, 1979): candidates at the highest rate, each kept with the chance
// rate(t) / highest.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "core/base/quantity.hpp"
#include "core/base/random.hpp"

namespace septet::requests {

enum class ArrivalKind : std::uint8_t { kPoisson, kGamma, kConstant, kBursts, kDiurnal, kAtOnce };
constexpr auto enum_table(std::type_identity<ArrivalKind>) {
  return enum_texts<ArrivalKind>("poisson", "gamma", "constant", "bursts", "diurnal",
                                 "all-at-once");
}

struct ArrivalProcess {
  ArrivalKind kind = ArrivalKind::kPoisson;
  double rate = 1;          // requests per second; of bursts: between them
  double shape = 1;         // gamma
  double burst_rate = 1;    // bursts: requests per second within one
  Duration burst_length{};  // bursts
  Duration period{};        // from burst to burst, or of the sine
  double amplitude = 0;     // diurnal: rate (1 + amplitude sin(2 pi t / period)), 0 to 1
};

// The rate at a time, per second.
double rate_at(const ArrivalProcess& process, Instant time);

// The times of `count` arrivals, ascending. Uses `stream` from its next draw on.
std::vector<Instant> arrival_times(const ArrivalProcess& process, std::uint64_t count,
                                   RandomStream& stream);

// The arrivals before `end`; not for kAtOnce.
std::vector<Instant> arrival_times_before(const ArrivalProcess& process, Instant end,
                                          RandomStream& stream);

}  // namespace septet::requests
