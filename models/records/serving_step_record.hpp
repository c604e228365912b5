// Table /serving_steps: what each replica had to do, step by step.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/trace/record.hpp"

namespace septet::records {

// The state right after the step was planned.
struct ServingStepRecord {
  Instant planned;
  std::int32_t replica = 0;
  std::int32_t sequences = 0;  // the batch size
  std::int64_t tokens = 0;
  std::int64_t prompt_tokens = 0;
  Duration host{};
  Duration gpu{};
  std::int32_t running = 0;
  std::int32_t waiting = 0;
  std::int32_t preempted = 0;
  double kv_use = 0;
};
inline const trace::TableSpec& record_table_of(std::type_identity<ServingStepRecord>) {
  using Record = ServingStepRecord;
  static const trace::TableSpec kTable = trace::record_table<Record>(
      "serving_steps", "serving_step", "one row per step of a replica, by replica and time",
      {trace::column<Record>(&Record::planned, "planned", "when the scheduler planned the step"),
       trace::column<Record>(&Record::replica, "replica", "replica"),
       trace::column<Record>(&Record::sequences, "sequences", "sequences in the step"),
       trace::column<Record>(&Record::tokens, "tokens", "tokens computed"),
       trace::column<Record>(&Record::prompt_tokens, "prompt_tokens", "of them, tokens of prompts"),
       trace::column<Record>(&Record::host, "host", "host time of the step"),
       trace::column<Record>(&Record::gpu, "gpu", "GPU time of the step"),
       trace::column<Record>(&Record::running, "running", "sequences that run, in the step or not"),
       trace::column<Record>(&Record::waiting, "waiting", "sequences in the queue"),
       trace::column<Record>(&Record::preempted, "preempted", "sequences preempted for the step"),
       trace::column<Record>(&Record::kv_use, "kv_use", "share of KV blocks in use")});
  return kTable;
}

}  // namespace septet::records
