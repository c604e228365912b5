#include "scenarios/serving/serving_workload.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/scenarios/serving/testing.hpp"

namespace septet::serving {
namespace {

requests::Workload workload_with(const std::string& arrivals) {
  const std::string text =
      arrivals +
      "[hardware]\ngpu = \"h100-sxm\"\n[serving]\nmodel = \"llama-3.1-8b\"\nengine = "
      "\"vllm-v1\"\n";
  return workload_of(configuration_of("[arrivals]\n" + text).text.arrivals, 1);
}

std::string mistake_with(const std::string& arrivals) {
  try {
    workload_with(arrivals);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no mistake";
}

const std::string kLengths = "input = { tokens = 5 }\noutput = { tokens = 6 }\n";

TEST(ServingWorkload, DrawsWhatTheTableSays) {
  const requests::Workload workload = workload_with("rate = 2\nrequests = 30\n" + kLengths);
  EXPECT_EQ(workload.requests.size(), 30U);
  EXPECT_EQ(workload.requests.back().input_tokens, 5);
  EXPECT_EQ(workload.concurrency, std::nullopt);
}

TEST(ServingWorkload, AClosedLoopSendsAllBehindItsLimit) {
  const requests::Workload workload =
      workload_with("process = \"closed\"\nconcurrency = 3\nrequests = 9\n" + kLengths);
  EXPECT_EQ(workload.concurrency, 3U);
  EXPECT_EQ(workload.requests.back().arrival, Instant());
}

TEST(ServingWorkload, ALogStandsAlone) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "log.csv";
  std::ofstream(file) << "arrival_s,input_tokens,output_tokens\n1,2,3\n";
  const std::string log = "log = \"" + file.string() + "\"\n";
  EXPECT_EQ(workload_with(log).requests.at(0).output_tokens, 3);
  EXPECT_EQ(mistake_with(log + "rate = 3\n"),
            "s.toml:3:8: arrivals.rate: got a key together with arrivals.log, wanted one of both");
}

TEST(ServingWorkload, APauseThatNothingFollowsIsAMistake) {
  const std::string text = "rate = 3\nrequests = 3\nthink_time = \"5 s\"\n" + kLengths;
  EXPECT_NE(mistake_with(text).find("arrivals.turns is 1"), std::string::npos);
  EXPECT_EQ(mistake_with("turns = 2\n" + text), "no mistake");
}

TEST(ServingWorkload, WhatIsMissingIsNamed) {
  EXPECT_EQ(mistake_with("requests = 3\n" + kLengths),
            "s.toml:1:1: arrivals: got nothing, wanted a value, for poisson arrivals");
  EXPECT_NE(mistake_with("rate = 3\n" + kLengths).find("arrivals.requests or arrivals.duration"),
            std::string::npos);
  EXPECT_NE(mistake_with("rate = 3\nrequests = 3\n").find("arrivals.input.tokens"),
            std::string::npos);
}

TEST(ServingWorkload, AFactorMovesArrivalsAlone) {
  requests::Workload workload = workload_with("rate = 2\nrequests = 3\n" + kLengths);
  const Instant before = workload.requests[2].arrival;
  workload = at_rate(workload, 2);
  EXPECT_NEAR(static_cast<double>(workload.requests[2].arrival.count()),
              static_cast<double>(before.count()) / 2, 1);
}

TEST(ServingWorkload, LongerPromptsKeepWhatTheyShare) {
  requests::Workload workload;
  workload.requests.push_back({.arrival = Instant(0),
                               .input_tokens = 100,
                               .output_tokens = 1,
                               .pieces = {{40, 7}, {requests::kAllTokens, 8}}});
  workload = with_lengths(workload, 1.5, 0.1);
  const requests::Request& request = workload.requests.front();
  EXPECT_EQ(request.input_tokens, 150);
  EXPECT_EQ(request.output_tokens, 1);  // no less than one
  EXPECT_EQ(request.pieces.at(0).end, 60);
  EXPECT_EQ(request.pieces.at(1).end, requests::kAllTokens);
}

}  // namespace
}  // namespace septet::serving
