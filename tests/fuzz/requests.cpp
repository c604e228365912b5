// Request logs of every format, whole and from a moment on.
#include <sstream>

#include "core/base/quantity.hpp"
#include "models/workload/requests/request_log.hpp"
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  fuzz::read_or_refuse([&] {
    std::istringstream in(text);
    requests::read_request_log(in, "fuzz.csv", {});
  });
  return fuzz::read_or_refuse([&] {
    std::istringstream in(text);
    requests::read_request_log(
        in, "fuzz.csv", {.from = from_seconds(1.5), .rate_scale = 3, .drop_unanswered = true});
  });
}
