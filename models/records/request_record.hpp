// Table /requests: what became of each request of a serving run.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/base/enum_texts.hpp"
#include "core/trace/record.hpp"

namespace septet::records {

enum class Fate : std::uint8_t { kUnfinished, kRefused, kCompleted };
constexpr auto enum_table(std::type_identity<Fate>) {
  return enum_texts<Fate>("unfinished", "refused", "completed");
}

// Times count from the begin of the run.
struct RequestRecord {
  static constexpr Instant kNever{-1};

  Instant arrived = kNever;
  Instant sent = kNever;
  Instant admitted = kNever;
  Instant prefilled = kNever;
  Instant transferred = kNever;
  Instant first_token = kNever;
  Instant finished = kNever;
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t cached_tokens = 0;
  std::int32_t replica = -1;
  std::int32_t attempts = 0;
  std::int32_t preemptions = 0;
  Fate fate = Fate::kUnfinished;
};
inline const trace::TableSpec& record_table_of(std::type_identity<RequestRecord>) {
  using Record = RequestRecord;
  const auto time = [](Instant Record::*member, const char* name, const char* meaning) {
    return trace::column<Record>(member, name, meaning)
        .absent_as(Record::kNever.count(), "where that never happened");
  };
  static const trace::TableSpec kTable = trace::record_table<Record>(
      "requests", "request", "one row per request of a serving run, in the order of arrival",
      {time(&Record::arrived, "arrived", "when its client wanted to send it"),
       time(&Record::sent, "sent", "when it was sent; later under a limit of concurrency"),
       time(&Record::admitted, "admitted", "begin of the first step with it"),
       time(&Record::prefilled, "prefilled", "disaggregation: its prompt was computed"),
       time(&Record::transferred, "transferred", "disaggregation: its keys and values had come"),
       time(&Record::first_token, "first_token", "first token at the client"),
       time(&Record::finished, "finished", "last token at the client"),
       trace::column<Record>(&Record::input_tokens, "input_tokens", "tokens of the prompt"),
       trace::column<Record>(&Record::output_tokens, "output_tokens", "tokens of the answer"),
       trace::column<Record>(&Record::cached_tokens, "cached_tokens",
                             "tokens of the prompt found in the KV cache"),
       trace::column<Record>(&Record::replica, "replica", "replica of the last attempt")
           .absent_as(-1, "where it was never sent"),
       trace::column<Record>(&Record::attempts, "attempts",
                             "times that it was sent, once more for each replica that failed"),
       trace::column<Record>(&Record::preemptions, "preemptions", "times that it lost its cache"),
       trace::column<Record>(&Record::fate, "fate", "what became of it")});
  return kTable;
}

}  // namespace septet::records
