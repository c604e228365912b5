// Hardware connections (CUDA_DEVICE_MAX_CONNECTIONS): queues of launches between streams and the
// front end. Only the head of a connection can start, so a waiting launch blocks those of other
// streams behind it.
//
// Each process has its own connections. A stream with no command waiting to start takes one when it
// launches: an empty one if there is one, else the least recently assigned one; it keeps it until
// `connection_hold` after its last queued command has started.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/fifo.hpp"
#include "core/base/quantity.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/program/program.hpp"

namespace septet::gpu {

class Connections {
 public:
  // The connection state of a stream.
  struct Hold {
    std::uint32_t connection = kNone;  // the last one that it took
    std::uint32_t queued = 0;          // its commands in the connection
    Instant until;                     // it keeps the connection at least until then
  };

  Connections(const FrontEndSpec& spec, std::uint32_t per_process, std::size_t processes)
      : spec_(spec), per_process_(per_process), connections_(per_process * processes) {}

  std::uint32_t per_process() const { return per_process_; }

  // A command of a stream, whose `hold` this is, is queued. `process`: by slot on this GPU.
  void join(Hold& hold, std::uint32_t process, std::uint32_t command, Instant now) {
    const bool holds = hold.connection != kNone && (hold.queued > 0 || now <= hold.until);
    if (!holds) {
      hold.connection = pick(process);
      connections_[hold.connection].given = ++given_;
    }
    ++hold.queued;
    connections_[hold.connection].commands.push_back(command);
  }

  // The command at the head of the stream's connection.
  std::uint32_t head(const Hold& hold) const { return of(hold).commands.front(); }
  // When the front end can take the next command of the stream's connection.
  Instant free_at(const Hold& hold) const { return of(hold).free_at; }
  // Its index among those of the process.
  std::uint32_t number(const Hold& hold) const { return hold.connection % per_process_; }

  // The stream's command at the head has been taken and starts at `start`. Returns the command at
  // the head now, which may belong to another stream; kNone: none.
  std::uint32_t leave(Hold& hold, Instant start, Instant now) {
    Connection& connection = connections_[hold.connection];
    connection.commands.pop_front();
    connection.free_at = std::max(connection.free_at, now) + spec_.command_interval;
    --hold.queued;
    hold.until = start + spec_.connection_hold;
    return connection.commands.empty() ? kNone : connection.commands.front();
  }

 private:
  struct Connection {
    Fifo<std::uint32_t> commands;
    Instant free_at;          // the front end can take its next command
    std::uint64_t given = 0;  // sequence number of its last assignment
  };

  const Connection& of(const Hold& hold) const { return connections_[hold.connection]; }
  std::uint32_t pick(std::uint32_t process) const;

  const FrontEndSpec& spec_;
  const std::uint32_t per_process_;
  std::vector<Connection> connections_;  // of the first process, then of the next, ...
  std::uint64_t given_ = 0;
};

}  // namespace septet::gpu
