#include "models/workload/requests/request_log.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace septet::requests {
namespace {

Workload read(const std::string& text, const LogReading& reading = {}) {
  std::istringstream in(text);
  return read_request_log(in, "log", reading);
}

std::string error_of(const std::string& text, const LogReading& reading = {}) {
  try {
    read(text, reading);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kAzure =
    "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
    "2023-11-16 18:17:03.9799600,4808,10\r\n"
    "2023-11-16 18:17:04.0319600,3180,8";

TEST(RequestLog, ReadsAzureWithCarriageReturnsAndSevenDigits) {
  const std::vector<Request> requests = read(kAzure).requests;
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0].arrival, Instant());
  EXPECT_EQ(requests[1].arrival, Instant(52'000'000'000));
  EXPECT_EQ(requests[1].input_tokens, 3180);
  EXPECT_EQ(requests[1].output_tokens, 8);
}

TEST(RequestLog, ReadsMooncakeWithItsPrefixes) {
  const std::vector<Request> requests =
      read(
          "{\"timestamp\": 27, \"input_length\": 600, \"output_length\": 5, "
          "\"hash_ids\": [46, 47]}\n")
          .requests;
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].arrival, Instant(27'000'000'000));
  EXPECT_EQ(requests[0].pieces, (std::vector<Piece>{{512, 46}, {600, 47}}));
}

TEST(RequestLog, ReadsBurstGptAndPlainLogs) {
  const std::vector<Request> burst =
      read(
          "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
          "5,ChatGPT,472,18,490,Conversation log\n")
          .requests;
  EXPECT_EQ(burst.at(0).arrival, Instant(5'000'000'000'000));
  EXPECT_EQ(burst.at(0).output_tokens, 18);
  const std::vector<Request> plain =
      read("arrival_s,input_tokens,output_tokens,ttft_s\n0.5,7,9,0.1\n").requests;
  EXPECT_EQ(plain.at(0).arrival, Instant(500'000'000'000));
  EXPECT_EQ(plain.at(0).input_tokens, 7);
}

const std::string kFour = "arrival_s,input_tokens,output_tokens\n0,1,1\n10,2,1\n20,3,1\n30,4,1\n";

TEST(RequestLog, IsCutInTimeAndBeginsThere) {
  LogReading reading;
  reading.from = from_seconds(10);
  reading.to = from_seconds(30);
  const std::vector<Request> requests = read(kFour, reading).requests;
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0].arrival, Instant());
  EXPECT_EQ(requests[0].input_tokens, 2);
  EXPECT_EQ(requests[1].arrival, Instant(from_seconds(10).count()));
}

TEST(RequestLog, AHigherRateShrinksGaps) {
  LogReading reading;
  reading.rate_scale = 4;
  EXPECT_EQ(read(kFour, reading).requests[3].arrival, Instant(from_seconds(7.5).count()));
}

TEST(RequestLog, MistakesNameFileAndLine) {
  const std::string header = "arrival_s,input_tokens,output_tokens\n";
  EXPECT_EQ(error_of(header + "1,5,5\n0.5,5,5\n"), "log:3: a time before that of line 2");
  EXPECT_EQ(error_of(header + "1,0,5\n"), "log:2: got 0 input tokens, wanted at least 1");
  EXPECT_EQ(error_of(header + "1,5\n"),
            "log:2: got 2 fields, wanted 3 at least, as in the first line");
  EXPECT_EQ(error_of(header + "x,5,5\n"),
            "log:2: arrival_s: got 'x', wanted seconds such as 12.25");
  EXPECT_EQ(error_of(header + "1,5.5,5\n"),
            "log:2: input_tokens: got '5.5', wanted a whole number from 0 to 100000000");
  EXPECT_EQ(error_of(header + "1,,5\n"),
            "log:2: input_tokens: got '', wanted a whole number from 0 to 100000000");
  EXPECT_EQ(error_of(header + "1,5,100000001\n"),
            "log:2: output_tokens: got '100000001', wanted a whole number from 0 to 100000000");
  EXPECT_EQ(error_of(header + "9000000,5,5\n"), "log:2: a time beyond 53 days of the log");
}

TEST(RequestLog, MistakesOfJsonNameFileAndLine) {
  const std::string good = "{\"timestamp\":1,\"input_length\":5,\"output_length\":5}\n";
  EXPECT_EQ(error_of(good + "{\"timestamp\":1,"), "log:2: got a line that is no JSON");
  EXPECT_EQ(error_of(good + "{\"timestamp\":1,\"input_length\":5}"),
            "log:2: no key 'output_length'");
  EXPECT_EQ(error_of("{\"timestamp\":-1,\"input_length\":5,\"output_length\":5}"),
            "log:1: timestamp: got -1, wanted milliseconds from 0 to 9e9");
  EXPECT_EQ(error_of("{\"timestamp\":1,\"input_length\":5,\"output_length\":5,\"hash_ids\":[1,2]}"),
            "log:1: hash_ids: got 2 ids, wanted at most 1, one for each 512 of the 5 input tokens");
}

TEST(RequestLog, AnEmptyOrForeignFileIsAMistake) {
  EXPECT_EQ(error_of("a,b\n1,2\n"),
            "log:1: the first line is that of no request log (azure, mooncake, burstgpt, plain)");
  EXPECT_EQ(error_of("arrival_s,input_tokens,output_tokens\n"), "log: no requests in the file");
  LogReading reading;
  reading.from = from_seconds(100);
  EXPECT_EQ(error_of(kFour, reading), "log: no request lies in the given time");
}

TEST(RequestLog, RequestsWithoutAnAnswerAreMistakesOrLeftOut) {
  const std::string text = "arrival_s,input_tokens,output_tokens\n0,5,0\n1,5,5\n";
  EXPECT_EQ(error_of(text),
            "log:2: got 0 output tokens, wanted at least 1 (arrivals.drop_unanswered leaves such "
            "requests out)");
  LogReading reading;
  reading.drop_unanswered = true;
  const Workload workload = read(text, reading);
  EXPECT_EQ(workload.requests.size(), 1U);
  EXPECT_EQ(workload.findings,
            std::vector<std::string>{"log: 1 requests without an answer, left out"});
}

}  // namespace
}  // namespace septet::requests
