// Rows of the fields of hardware profiles: every number is required and has a range.
#pragma once

#include <string>
#include <utility>

#include "scenarios/config/fields/field.hpp"

namespace septet::config {

// A latency of more than a second is a wrong unit.
template <class Spec>
Field<Spec> latency(std::string key, Duration Spec::*member, std::string description) {
  return required(ranged(std::move(key), member, std::move(description),
                         between(Duration(0), Duration(kPicosecondsPerSecond))));
}

// Inside a kernel or between kernels, so is one of more than a millisecond.
template <class Spec>
Field<Spec> short_latency(std::string key, Duration Spec::*member, std::string description) {
  return required(ranged(std::move(key), member, std::move(description),
                         between(Duration(0), Duration(kPicosecondsPerMillisecond))));
}

template <class Spec>
Field<Spec> count(std::string key, std::uint32_t Spec::*member, std::string description,
                  std::uint32_t least, std::uint32_t most) {
  return required(ranged(std::move(key), member, std::move(description), between(least, most)));
}

// A plain number, such as cycles.
template <class Spec>
Field<Spec> number(std::string key, double Spec::*member, std::string description) {
  constexpr double kMost = 100'000;
  return required(ranged(std::move(key), member, std::move(description), between(0.0, kMost)));
}

template <class Spec>
Field<Spec> share(std::string key, double Spec::*member, std::string description) {
  return required(ranged(std::move(key), member, std::move(description), between(0.0, 1.0)));
}

template <class Spec>
Field<Spec> rate(std::string key, ByteRate Spec::*member, std::string description) {
  return required(ranged(std::move(key), member, std::move(description),
                         between(ByteRate(1e6), ByteRate(1e15))));
}

template <class Spec>
Field<Spec> size(std::string key, Bytes Spec::*member, std::string description,
                 Bytes least = Bytes(1)) {
  return required(ranged(std::move(key), member, std::move(description), at_least(least)));
}

}  // namespace septet::config
