#include "models/workload/recorded/kineto/kineto_reader.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/workload/recorded/json/byte_source.hpp"
#include "models/workload/recorded/json/json_input.hpp"
#include "models/workload/recorded/json/rapidjson_reader.hpp"
#include "models/workload/recorded/kineto/kineto_builder.hpp"
#include "models/workload/recorded/kineto/kineto_handler.hpp"
#include "models/workload/recorded/kineto/plain_entries.hpp"

namespace rapidjson {
// Lets the reader work on a copy of the stream, which the compiler keeps in registers.
template <>
struct StreamTraits<septet::recorded::JsonStream> {
  enum { copyOptimization = 1 };
};
}  // namespace rapidjson

namespace septet::recorded {
namespace {

[[noreturn]] void refuse(const JsonInput& input, std::size_t offset, const std::string& reason) {
  const Location where = input.where(offset);
  throw ConfigError(where, fmt::format("{} (byte {})", reason, where.byte));
}

// What to do with a file that RapidJSON stopped in.
void judge_error(const rapidjson::ParseResult& result, const JsonInput& input,
                 const KinetoHandler& handler, KinetoBuilder& builder) {
  if (!handler.refusal().empty()) refuse(input, result.Offset(), handler.refusal());
  if (result.Code() == rapidjson::kParseErrorDocumentEmpty) {
    refuse(input, result.Offset(), "the file is empty; wanted a JSON object or array");
  }
  const std::string reason = rapidjson::GetParseError_En(result.Code());
  if (!input.cut_at(result.Offset())) refuse(input, result.Offset(), "not valid JSON: " + reason);
  if (builder.trace().entries == 0) {
    refuse(input, result.Offset(), "the file ends before the first complete entry");
  }
  builder.anomaly(kFileEndsEarly);
  builder.trace().cut_at_byte = input.byte(result.Offset());
}

void count_anomalies(const std::string& path, const ByteSource& source, const JsonInput& input,
                     KinetoBuilder& builder) {
  builder.anomaly("control characters in strings, replaced by spaces",
                  input.filter().control_characters());
  builder.anomaly("inf or nan, treated as missing", input.filter().not_numbers());
  if (input.byte_order_mark()) builder.anomaly("byte order mark");
  if (source.cut_short()) builder.anomaly(kGzipEndsEarly);
  builder.anomaly("bytes after the gzip data", source.trailing_bytes());
  if (path.ends_with(".gz") && !source.compressed()) {
    builder.anomaly("named .gz, but not compressed");
  }
}

}  // namespace

RecordedTrace read_kineto(const std::string& path) {
  const auto source = open_bytes(path);
  JsonInput input(*source, path);
  JsonStream stream(input);
  KinetoBuilder builder(path);
  PlainEntries handler(builder, input, stream);
  rapidjson::Reader reader;
  const rapidjson::ParseResult result =
      reader.Parse<rapidjson::kParseNumbersAsStringsFlag>(stream, handler);
  if (result.IsError()) judge_error(result, input, handler, builder);
  if (!handler.found_entries()) {
    throw ConfigError({path}, "the JSON object has no traceEvents; not a Kineto trace");
  }
  count_anomalies(path, *source, input, builder);
  if (builder.names_gpus()) {
    throw ConfigError(
        {path},
        "this looks like a trace of JAX or TensorFlow, whose work carries no category; "
        "give the .xplane.pb file of the same profile");
  }
  builder.trace().profiler = "pytorch";
  return builder.finish();
}

bool looks_like_kineto(std::string_view head) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  for (const char byte : head) {
    if (byte == '{' || byte == '[') return true;
    if (static_cast<unsigned char>(byte) > 0x20) return false;
  }
  return false;
}

}  // namespace septet::recorded
