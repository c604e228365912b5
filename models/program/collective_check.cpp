#include "models/program/collective_check.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::program {
namespace {

[[noreturn]] void fail(const std::string& what) { throw ConfigError({}, "program: " + what); }

void check_communicator(const Program& program, std::uint32_t index) {
  const Communicator& communicator = program.communicators[index];
  const std::string place = communicator_text(communicator, index);
  if (communicator.devices.size() < 2) {
    fail(fmt::format("{}: a group of {}, wanted at least two ranks", place,
                     communicator.devices.size()));
  }
  std::map<std::uint32_t, std::size_t> rank_of_device;
  for (std::size_t rank = 0; rank < communicator.devices.size(); ++rank) {
    const std::uint32_t device = communicator.devices[rank];
    if (device >= program.devices) {
      fail(fmt::format("{}: rank {} is device {}, which does not exist (there are {})", place, rank,
                       device, program.devices));
    }
    const auto [known, fresh] = rank_of_device.emplace(device, rank);
    if (fresh) continue;
    fail(fmt::format("{}: ranks {} and {} are both device {}, wanted each device once", place,
                     known->second, rank, device));
  }
}

void check_collective(const Program& program, std::size_t index) {
  const Collective& collective = program.collectives[index];
  const std::string place = fmt::format("collective {}", index);
  if (collective.communicator >= program.communicators.size()) {
    fail(fmt::format("{} ({}): communicator {} does not exist (there are {})", place,
                     collective_text(collective), collective.communicator,
                     program.communicators.size()));
  }
  const bool negative = collective.recorded < Duration(0) && collective.recorded != kModelled;
  if (collective.bytes < Bytes(0) || negative) {
    fail(fmt::format("{} ({}): negative size or duration", place, collective_text(collective)));
  }
  if (!names_peer(collective.op) && collective.peer != 0) {
    fail(fmt::format("{} ({}): got rank {} as peer, wanted none", place,
                     collective_text(collective), collective.peer));
  }
}

}  // namespace

std::string place_text(const CallPlace& place) {
  return fmt::format("thread {}, call {}", place.thread, place.call);
}

void check_collectives(const Program& program) {
  for (std::uint32_t c = 0; c < program.communicators.size(); ++c) check_communicator(program, c);
  for (std::size_t c = 0; c < program.collectives.size(); ++c) check_collective(program, c);
}

void check_rank(const Program& program, const HostThread& thread, const Collective& collective,
                std::uint32_t device, const CallPlace& place) {
  const auto roles = thread.offsets.communicators.size();
  if (roles > 0 && collective.communicator >= roles) {
    fail(fmt::format("{}: {}: the thread has {} communicators, not number {}", place_text(place),
                     collective_text(collective), roles, collective.communicator));
  }
  const std::uint32_t index = communicator_of(thread, collective);
  const Communicator& communicator = program.communicators[index];
  const auto fail_at = [&](const std::string& what) {
    fail(
        fmt::format("{}: {}: {}", place_text(place), communicator_text(communicator, index), what));
  };
  const std::uint32_t rank = rank_of(communicator, device);
  if (rank == kNone) {
    fail_at(fmt::format("{} on device {}, which is no rank of the group",
                        collective_text(collective), device));
  }
  if (names_peer(collective.op) && collective.peer >= communicator.devices.size()) {
    fail_at(fmt::format("{}: rank {} does not exist (there are {})", collective_text(collective),
                        collective.peer, communicator.devices.size()));
  }
  if (point_to_point(collective.op) && collective.peer == rank) {
    fail_at(fmt::format("rank {} has itself as peer of {}", rank, collective_text(collective)));
  }
}

std::uint32_t rank_of(const Communicator& communicator, std::uint32_t device) {
  const auto& devices = communicator.devices;
  const auto found = std::find(devices.begin(), devices.end(), device);
  return found == devices.end() ? kNone : static_cast<std::uint32_t>(found - devices.begin());
}

}  // namespace septet::program
