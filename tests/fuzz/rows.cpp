// Measured rows: what each asks for is looked at, not simulated.
#include <sstream>

#include "scenarios/validate/measurement.hpp"
#include "scenarios/validate/row_check.hpp"
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::read_or_refuse([&] {
    std::istringstream in{std::string(fuzz::text_of(data, size))};
    for (const validation::MeasuredRow& row : validation::read_rows(in, "rows.jsonl")) {
      if (!row.mistake) fuzz::read_or_refuse([&] { validation::why_unanswerable(row); });
    }
  });
}
