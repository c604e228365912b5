// Writes the calls of one CPU thread of a recording.
//
// The writer keeps the thread's clock as a replay will have it, given the recorded times of the
// GPU. The time from there to the next call's recorded begin is host work, so that the spread of
// a latency around its typical value is not added up over the calls. A clock that is late stays so
// until a gap absorbs it.
#pragma once

#include <cstdint>
#include <map>

#include "models/workload/recorded/import/program_objects.hpp"
#include "models/workload/recorded/import/program_writer.hpp"

namespace septet::recorded {

class ThreadWriter {
 public:
  ThreadWriter(const RecordedTrace& trace, const ImportPlans& plans, ProgramObjects& objects,
               Import& import, std::uint32_t program_thread);

  void write(std::uint32_t thread);

 private:
  void write_piece(const HostPiece& piece);
  void write_effect(const HostPiece& piece);
  void write_commands(const HostCall& call, std::uint32_t number, Duration cost);
  void write_rest(const HostPiece& piece, Duration spent);
  void write_step(const HostPiece& piece);
  void write_host_work(Instant until);
  void write_scopes(std::uint32_t thread, Instant until);
  void close_scopes();
  void note_marks(std::uint32_t thread);
  void await_hand_offs(std::uint32_t piece);
  void post_hand_offs(std::uint32_t piece);
  program::Call named(const HostCall& call, Duration cost);
  program::Call effect_of(std::uint32_t number, const CallPlan& plan, Duration cost);
  void append(const program::Call& call);
  void append_hold(std::uint32_t command);
  void place(std::uint32_t command, std::uint32_t node);

  const RecordedTrace& trace_;
  const ImportPlans& plans_;
  ProgramObjects& objects_;
  Import& import_;
  std::uint32_t program_thread_;
  std::multimap<std::uint32_t, std::uint32_t> awaits_;  // piece -> hand-off
  std::multimap<std::uint32_t, std::uint32_t> posts_;   // piece -> hand-off
  std::multimap<std::uint32_t, std::uint32_t> steps_;   // call -> step
  std::size_t scope_ = 0;                               // the next edge
  std::size_t open_ = 0;                                // scopes
  Instant clock_;
};

}  // namespace septet::recorded
