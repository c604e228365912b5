// Quantities as users write them: "2.5 us", "3.35 TB/s", "228 KiB", "1980 MHz", "67 TFLOP/s", "700
// W". A number, then a unit with an SI (k = 10^3) or IEC (Ki = 2^10) prefix; a space between them
// is optional. "bit" is an eighth of "B"; "b" alone is rejected, because it is ambiguous.
//
// Nothing is guessed or repaired: a missing or foreign unit, a negative value, infinity, a value
// that does not fit or that is not a whole number of bytes throws UnitError.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/base/quantity.hpp"

namespace septet {

// The error in a quantity. The reader of a file adds file, line and key.
class UnitError : public std::invalid_argument {
 public:
  UnitError(std::string got, std::string wanted, std::string suggestion = {});

  const std::string& got() const { return got_; }
  const std::string& wanted() const { return wanted_; }          // includes an example
  const std::string& suggestion() const { return suggestion_; }  // "\"5 GB/s\""; mostly empty

  std::string wanted_with_suggestion() const;  // "WANTED (did you mean SUGGESTION?)"

 private:
  std::string got_;
  std::string wanted_;
  std::string suggestion_;
};

// Rounded to the nearest picosecond; a time above zero that would round to zero is an error.
// Exact up to 2^62 ps.
Duration parse_duration(std::string_view text);
Bytes parse_bytes(std::string_view text);          // whole bytes, or an error
ByteRate parse_byte_rate(std::string_view text);   // "GB/s", "GiB/s", "Gbit/s"
Frequency parse_frequency(std::string_view text);  // "Hz"
FlopRate parse_flop_rate(std::string_view text);   // "FLOP/s"
Power parse_power(std::string_view text);          // "W"

// A plain whole number without a unit: "128", "2e6".
std::int64_t parse_count(std::string_view text);

// The shortest text that parses back to the same value ("2.5 us", "228 KiB"). Negative values,
// which differences may have, are written but not read.
std::string to_text(Duration value);
std::string to_text(Bytes value);
std::string to_text(ByteRate value);
std::string to_text(Frequency value);
std::string to_text(FlopRate value);
std::string to_text(Power value);

}  // namespace septet
