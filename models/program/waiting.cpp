#include "models/program/waiting.hpp"

#include <fmt/format.h>

namespace septet::program {
namespace {

std::string named(const char* kind, const std::string& name, std::uint32_t index) {
  return name.empty() ? fmt::format("{} {}", kind, index) : fmt::format("{} '{}'", kind, name);
}

std::string at(const std::vector<std::string>& names, std::uint32_t index) {
  return index < names.size() ? names[index] : "";
}

}  // namespace

std::string stream_text(const Program& program, std::uint32_t stream) {
  return named("stream", program.streams[stream].name, stream);
}

std::string queue_text(const Program& program, std::uint32_t queue) {
  return named("queue", at(program.queue_names, queue), queue);
}

std::string signal_text(const Program& program, std::uint32_t signal) {
  return named("signal", at(program.signal_names, signal), signal);
}

std::string counted(std::uint64_t number, const char* thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

std::string thread_text(const Program& program, std::uint32_t thread) {
  return fmt::format("{} of process {}", named("thread", program.threads[thread].name, thread),
                     program.threads[thread].process);
}

}  // namespace septet::program
