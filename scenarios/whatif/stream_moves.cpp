#include "scenarios/whatif/stream_moves.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "scenarios/config/toml/near_miss.hpp"

namespace septet::whatif {
namespace {

bool ends_with_number(const std::string& label, const std::string& number) {
  const bool digits = number.find_first_not_of("0123456789") == std::string::npos;
  return digits && !number.empty() && label.ends_with(" " + number);
}

}  // namespace

std::string stream_label(const program::Program& program, std::uint32_t stream) {
  const std::string& name = program.streams[stream].name;
  return name.empty() ? fmt::format("stream {}", stream) : name;
}

std::uint32_t find_stream(const program::Program& program, const std::string& text) {
  std::uint32_t found = kNone;
  std::uint32_t count = 0;
  for (std::uint32_t s = 0; s < program.streams.size(); ++s) {
    const std::string label = stream_label(program, s);
    if (label == text) return s;
    if (!ends_with_number(label, text)) continue;
    found = s;
    ++count;
  }
  return count == 1 ? found : kNone;
}

std::uint32_t require_stream(const std::string& what_if, const program::Program& program,
                             const std::string& text) {
  const std::uint32_t found = find_stream(program, text);
  if (found != kNone) return found;
  std::vector<std::string> labels;
  for (std::uint32_t s = 0; s < program.streams.size(); ++s) {
    labels.push_back(stream_label(program, s));
  }
  throw ConfigError(
      {}, fmt::format("what-if {}: there is no single stream '{}'{}; streams: {}", what_if, text,
                      config::did_you_mean(text, labels), config::listed(labels)));
}

std::uint32_t add_stream_like(program::Program& program, std::uint32_t like,
                              const std::string& name) {
  program::Stream stream = program.streams[like];
  stream.name = name;
  program.streams.push_back(stream);
  return static_cast<std::uint32_t>(program.streams.size() - 1);
}

std::uint64_t move_streams(program::HostThread& thread, const std::vector<std::uint32_t>& target) {
  std::uint64_t separated = 0;
  std::vector<std::uint32_t> last_from(target.size(),
                                       kNone);  // by stream: whose work it got last
  for (program::Call& call : thread.calls) {
    if (!uses_stream(call.kind())) continue;
    const std::uint32_t from = call.stream;
    call.stream = target[from];
    if (!is_launch(call.kind()) || program::is<program::JoinCollective>(call)) continue;
    const bool other = last_from[call.stream] != from && last_from[call.stream] != kNone;
    auto* launch = program::get_if<program::LaunchKernel>(call);
    if (launch != nullptr && launch->programmatic && other) {
      launch->programmatic = false;
      ++separated;
    }
    last_from[call.stream] = from;
  }
  return separated;
}

std::string separated_note(std::uint64_t kernels) {
  return fmt::format(
      "{} kernels no longer overlap their predecessor; the overlapped time is not added to their "
      "durations",
      kernels);
}

}  // namespace septet::whatif
