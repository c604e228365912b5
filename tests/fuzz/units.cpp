// Sizes, times and rates as people write them: read, and written so that they are read again.
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

namespace {

template <class Parse>
void round_trip(std::string_view text, Parse parse) {
  fuzz::read_or_refuse([&] {
    const auto value = parse(text);
    if (parse(to_text(value)) != value) __builtin_trap();
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  round_trip(text, parse_duration);
  round_trip(text, parse_bytes);
  round_trip(text, parse_byte_rate);
  round_trip(text, parse_frequency);
  round_trip(text, parse_flop_rate);
  round_trip(text, parse_power);
  return fuzz::read_or_refuse([&] { parse_count(text); });
}
