// Hardware connections (CUDA_DEVICE_MAX_CONNECTIONS): queues in which launches stand between their
// streams and the front end. Only the head of a connection can start, so a launch that waits holds
// up those of other streams behind it.
//
// Each process has connections of its own. A stream takes one when it launches while nothing of it
// waits to start: one in which nothing waits if there is one, else the one given out least
// recently; it keeps it until its last queued command has started, and `connection_hold` longer.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/fifo.hpp"
#include "core/base/quantity.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/program/program.hpp"

namespace septet::gpu {

class Connections {
 public:
  // What a stream has of connections.
  struct Hold {
    std::uint32_t connection = kNone;  // the last one that it took
    std::uint32_t queued = 0;          // its commands in the connection
    Instant until;                     // it keeps the connection at least so long
  };

  Connections(const FrontEndSpec& spec, std::uint32_t per_process, std::size_t processes)
      : spec_(spec), per_process_(per_process), connections_(per_process * processes) {}

  std::uint32_t per_process() const { return per_process_; }

  // A command of a stream, whose `hold` this is, stands in line. `process`: by slot on this GPU.
  void join(Hold& hold, std::uint32_t process, std::uint32_t command, Instant now);

  // The command at the head of the stream's connection.
  std::uint32_t head(const Hold& hold) const { return of(hold).commands.front(); }
  // When the front end can take the next command of the stream's connection.
  Instant free_at(const Hold& hold) const { return of(hold).free_at; }
  // Its number among those of the process.
  std::uint32_t number(const Hold& hold) const { return hold.connection % per_process_; }

  // The stream's command at the head has been taken and starts at `start`. Returns the command at
  // the head now, which may belong to another stream; kNone: none.
  std::uint32_t leave(Hold& hold, Instant start, Instant now);

 private:
  struct Connection {
    Fifo<std::uint32_t> commands;
    Instant free_at;          // the front end can take its next command
    std::uint64_t given = 0;  // when it was given to a stream last, by a running number
  };

  const Connection& of(const Hold& hold) const { return connections_[hold.connection]; }
  std::uint32_t pick(std::uint32_t process) const;

  const FrontEndSpec& spec_;
  const std::uint32_t per_process_;
  std::vector<Connection> connections_;  // of the first process, then of the next, ...
  std::uint64_t given_ = 0;
};

}  // namespace septet::gpu
