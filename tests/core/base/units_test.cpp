#include "core/base/units.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "core/base/random.hpp"

namespace septet {
namespace {

// The error that `parse` throws for `text`.
template <class Parse>
UnitError error_of(Parse parse, std::string_view text) {
  try {
    parse(text);
  } catch (const UnitError& error) {
    return error;
  }
  ADD_FAILURE() << "no error for " << text;
  return UnitError("", "");
}

TEST(Units, ReadsDurations) {
  EXPECT_EQ(parse_duration("2.5 us"), Duration(2'500'000));
  EXPECT_EQ(parse_duration("2.5us"), Duration(2'500'000));
  EXPECT_EQ(parse_duration("  7\tns "), Duration(7'000));
  EXPECT_EQ(parse_duration("0.1 ns"), Duration(100));
  EXPECT_EQ(parse_duration("0 s"), Duration(0));
  EXPECT_EQ(parse_duration("1e-3 s"), Duration(1'000'000'000));
  EXPECT_EQ(parse_duration("3 \u00b5s"), 3_us);
  EXPECT_EQ(parse_duration("3 \u03bcs"), 3_us);
  EXPECT_EQ(parse_duration("2 min"), 120_s);
  EXPECT_EQ(parse_duration("1 h"), 3600_s);
  EXPECT_EQ(parse_duration("1 d"), 86400_s);
  EXPECT_EQ(parse_duration("9223372036854775807 ps"), Duration::max());
}

TEST(Units, ReadsSizes) {
  EXPECT_EQ(parse_bytes("228 KiB"), Bytes(233'472));
  EXPECT_EQ(parse_bytes("80 GB"), Bytes(80'000'000'000));
  EXPECT_EQ(parse_bytes("1.1 GB"), Bytes(1'100'000'000));
  EXPECT_EQ(parse_bytes("1.5 KiB"), Bytes(1536));
  EXPECT_EQ(parse_bytes("5EB"), Bytes(5'000'000'000'000'000'000));
  EXPECT_EQ(parse_bytes("1e3 B"), Bytes(1000));
  EXPECT_EQ(parse_bytes("64 Mbit"), Bytes(8'000'000));
}

TEST(Units, ReadsRates) {
  EXPECT_EQ(parse_byte_rate("3.35 TB/s"), ByteRate(3.35e12));
  EXPECT_EQ(parse_byte_rate("400 Gbit/s"), ByteRate(50e9));
  EXPECT_EQ(parse_byte_rate("1 GiB/s"), ByteRate(1'073'741'824));
  EXPECT_EQ(parse_frequency("1980 MHz"), Frequency(1.98e9));
  EXPECT_EQ(parse_flop_rate("67 TFLOP/s"), FlopRate(67e12));
  EXPECT_EQ(parse_power("700 W"), Power(700));
  EXPECT_EQ(parse_power("1.2 kW"), Power(1200));
}

TEST(Units, ReadsCounts) {
  EXPECT_EQ(parse_count("128"), 128);
  EXPECT_EQ(parse_count("70e9"), 70'000'000'000);
  EXPECT_EQ(parse_count("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"", "1.5", "-1", "12 B", "x", "1e19", "9223372036854775808", "inf"}) {
    EXPECT_THROW(parse_count(text), UnitError) << text;
  }
}

TEST(Units, RefusesWhatIsNotAQuantity) {
  for (const char* text :
       {"", " ", "us", "us 5", "1,5 us", "1.2.3 us", "2 us 3", "2 us, 3", "--1 us", "+1 us",
        "0x10 us", "inf us", "nan us", ".", "1 u s", "1/2 us"}) {
    EXPECT_THROW(parse_duration(text), UnitError) << text;
  }
}

TEST(Units, RefusesNegativeValues) {
  EXPECT_EQ(error_of(parse_duration, "-1 us").wanted(), "a duration of at least 0");
  EXPECT_THROW(parse_bytes("-1 B"), UnitError);
  EXPECT_THROW(parse_byte_rate("-0.5 GB/s"), UnitError);
}

TEST(Units, RefusesAMissingUnitWithAnExample) {
  const UnitError error = error_of(parse_byte_rate, "450");
  EXPECT_EQ(error.got(), "\"450\" without a unit");
  EXPECT_EQ(error.wanted(), "a byte rate with its unit, such as \"3.35 TB/s\"");
  EXPECT_EQ(error.suggestion(), "");
  EXPECT_STREQ(
      error.what(),
      "got \"450\" without a unit, wanted a byte rate with its unit, such as \"3.35 TB/s\"");
}

TEST(Units, RefusesAnotherDimensionAndNamesIt) {
  EXPECT_EQ(error_of(parse_bytes, "5 us").got(), "\"5 us\", a duration");
  EXPECT_EQ(error_of(parse_byte_rate, "5 GB").got(), "\"5 GB\", a size");
  EXPECT_EQ(error_of(parse_duration, "700 W").got(), "\"700 W\", a power");
}

TEST(Units, RefusesWhatDoesNotFit) {
  // 2^63 ps and 2^63 B are the first that do not.
  EXPECT_THROW(parse_duration("9223372036854775808 ps"), UnitError);
  EXPECT_THROW(parse_duration("107 d"), UnitError);
  EXPECT_NO_THROW(parse_duration("106 d"));
  EXPECT_THROW(parse_bytes("8 EiB"), UnitError);
  EXPECT_NO_THROW(parse_bytes("7 EiB"));
  EXPECT_THROW(parse_byte_rate("1e400 B/s"), UnitError);
  EXPECT_THROW(parse_byte_rate("1e5000 B/s"), UnitError);
}

TEST(Units, RefusesTimesThatWouldVanishAndPartsOfBytes) {
  EXPECT_EQ(error_of(parse_duration, "0.4 ps").wanted(), "a duration of zero or at least 1 ps");
  EXPECT_EQ(parse_duration("0.5 ps"), Duration(1));
  EXPECT_EQ(error_of(parse_bytes, "1.1 KiB").wanted(), "a whole number of bytes");
  EXPECT_THROW(parse_bytes("0.5 B"), UnitError);
  EXPECT_THROW(parse_bytes("1 bit"), UnitError);
}

TEST(Units, SuggestsTheUnitThatWasMeant) {
  EXPECT_EQ(error_of(parse_duration, "5 usec").suggestion(), "\"5 us\"");
  EXPECT_EQ(error_of(parse_duration, "5 microseconds").suggestion(), "\"5 us\"");
  EXPECT_EQ(error_of(parse_duration, "5 US").suggestion(), "\"5 us\"");
  EXPECT_EQ(error_of(parse_duration, "5 seconds").suggestion(), "\"5 s\"");
  EXPECT_EQ(error_of(parse_byte_rate, "5 GBps").suggestion(), "\"5 GB/s\"");
  EXPECT_EQ(error_of(parse_byte_rate, "5 Gbits/s").suggestion(), "\"5 Gbit/s\"");
  EXPECT_EQ(error_of(parse_byte_rate, "5 GB/sec").suggestion(), "\"5 GB/s\"");
  EXPECT_EQ(error_of(parse_bytes, "5 kilobits").suggestion(), "");
  EXPECT_EQ(error_of(parse_bytes, "5 KB").suggestion(), "\"5 kB\" or \"5 kbit\"");
  EXPECT_EQ(error_of(parse_frequency, "5 mhz").suggestion(), "\"5 MHz\"");
  EXPECT_EQ(error_of(parse_flop_rate, "5 TFLOPS").suggestion(), "\"5 TFLOP/s\"");
  EXPECT_EQ(error_of(parse_flop_rate, "5 Tflops/s").suggestion(), "\"5 TFLOP/s\"");
  EXPECT_EQ(error_of(parse_flop_rate, "5 GF").suggestion(), "\"5 GFLOP/s\"");
  EXPECT_EQ(error_of(parse_power, "5 watts").suggestion(), "");
}

TEST(Units, SuggestsBytesAndBitsForALoneB) {
  EXPECT_EQ(error_of(parse_byte_rate, "5 Gb/s").suggestion(), "\"5 GB/s\" or \"5 Gbit/s\"");
  EXPECT_EQ(error_of(parse_byte_rate, "5 Gbps").suggestion(), "\"5 GB/s\" or \"5 Gbit/s\"");
  EXPECT_EQ(error_of(parse_bytes, "5 mb").suggestion(), "\"5 MB\" or \"5 Mbit\"");
  EXPECT_EQ(error_of(parse_bytes, "5 b").wanted_with_suggestion(),
            "a size with its unit, such as \"228 KiB\" (did you mean \"5 B\" or \"5 bit\"?)");
}

TEST(Units, WritesForPeople) {
  EXPECT_EQ(to_text(Duration(2'500'000)), "2.5 us");
  EXPECT_EQ(to_text(90_s), "90 s");
  EXPECT_EQ(to_text(Duration(0)), "0 ps");
  EXPECT_EQ(to_text(Duration(-1'500)), "-1.5 ns");
  EXPECT_EQ(to_text(228_KiB), "228 KiB");
  EXPECT_EQ(to_text(Bytes(80'000'000'000)), "80 GB");
  EXPECT_EQ(to_text(Bytes(1536)), "1.5 KiB");
  EXPECT_EQ(to_text(Bytes(1000)), "1 kB");
  EXPECT_EQ(to_text(Bytes(512)), "512 B");
  EXPECT_EQ(to_text(ByteRate(3.35e12)), "3.35 TB/s");
  EXPECT_EQ(to_text(Frequency(1.98e9)), "1.98 GHz");
  EXPECT_EQ(to_text(FlopRate(67e12)), "67 TFLOP/s");
  EXPECT_EQ(to_text(Power(700)), "700 W");
  EXPECT_EQ(to_text(Power(0)), "0 mW");
}

// Numbers of all magnitudes: uniform bits, cut to a random length.
std::int64_t random_integer(RandomStream& random) {
  return static_cast<std::int64_t>(random.next() >> (2 + random.below(61)));
}

TEST(Units, TextParsesBackToTheSameInteger) {
  RandomStream random({2024, 0, 0});
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t value = random_integer(random);  // below 2^62, where parsing is exact
    ASSERT_EQ(parse_duration(to_text(Duration(value))), Duration(value)) << value;
    ASSERT_EQ(parse_bytes(to_text(Bytes(value))), Bytes(value)) << value;
  }
}

// 9.02 EB are 9.02 * 10^18 B, of which the nearest number of 64 bits is not whole.
TEST(Units, LargeIntegersAreWrittenInAUnitThatGivesThemBack) {
  for (const std::int64_t value :
       {std::int64_t{9'020'000'000'000'000'000}, std::numeric_limits<std::int64_t>::max(),
        std::int64_t{1} << 62}) {
    EXPECT_EQ(parse_bytes(to_text(Bytes(value))), Bytes(value)) << to_text(Bytes(value));
    EXPECT_EQ(parse_duration(to_text(Duration(value))), Duration(value));
  }
}

TEST(Units, TextParsesBackToTheSameReal) {
  RandomStream random({2025, 0, 0});
  for (int i = 0; i < 20'000; ++i) {
    const double value =
        random.uniform() * std::pow(10.0, static_cast<double>(random.below(22)) - 2);
    ASSERT_EQ(parse_byte_rate(to_text(ByteRate(value))).count(), value);
    ASSERT_EQ(parse_frequency(to_text(Frequency(value))).count(), value);
    ASSERT_EQ(parse_flop_rate(to_text(FlopRate(value))).count(), value);
    ASSERT_EQ(parse_power(to_text(Power(value))).count(), value);
  }
}

TEST(Units, DamagedTextIsReadOrRefusedButNeverElse) {
  RandomStream random({2026, 0, 0});
  const std::string alphabet = "0123456789.eE+- \tkKMGTiBbitFLOPusnm/s\xc2\xb5\xff";
  for (int i = 0; i < 50'000; ++i) {
    std::string text = "3.35 TB/s";
    for (std::uint64_t edits = 1 + random.below(4); edits > 0; --edits) {
      text[random.below(text.size())] = alphabet[random.below(alphabet.size())];
    }
    try {
      const double value = parse_byte_rate(text).count();
      ASSERT_TRUE(std::isfinite(value) && value >= 0) << text;
    } catch (const UnitError& error) {
      ASSERT_FALSE(error.wanted().empty()) << text;
    }
  }
}

}  // namespace
}  // namespace septet
