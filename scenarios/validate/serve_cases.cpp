// Group serve: the serving loop of data/measurements/h200/source-llm.py, turn by turn.
//
// Each turn prefills at most one waiting request, padded up to a captured length, and then takes
// one decode step for all active ones, padded up to a captured batch, over 1,024 positions. A turn
// costs the host what its bookkeeping does (HostSpec::collective_cost, a call through Python, for
// each graph).
#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>

#include "models/workload/nsight/csv.hpp"
#include "scenarios/validate/step_cases.hpp"

namespace septet::validation {
namespace {

constexpr std::array<std::uint64_t, 7> kBatches = {1, 2, 4, 8, 16, 32, 64};
constexpr std::array<std::uint64_t, 5> kLengths = {64, 128, 256, 512, 1024};
constexpr std::uint64_t kPositions = 1024;
constexpr std::size_t kSlots = 64;

struct Request {
  Duration arrival{};
  std::uint64_t prompt = 0;
  std::uint64_t output = 0;
  Duration first{};   // token
  Duration finish{};  // last token
};

// The captured steps of the loop: those of one shape are simulated once.
class LoopSteps {
 public:
  LoopSteps(const system::SystemSpec& system, const transformer::TransformerShape& shape)
      : system_(system), shape_(shape) {}

  Duration prefill(std::uint64_t prompt) {
    const std::uint64_t length = *std::ranges::lower_bound(kLengths, prompt);
    return time(1, length, length);
  }
  Duration decode(std::uint64_t active) {
    return time(*std::ranges::lower_bound(kBatches, active), 1, kPositions);
  }

 private:
  Duration time(std::uint64_t batch, std::uint64_t queries, std::uint64_t keys) {
    const auto [entry, fresh] = known_.try_emplace({batch, queries});
    if (!fresh) return entry->second;
    transformer::TransformerStep step;
    step.shape = shape_;
    step.batch = batch;
    step.queries = queries;
    step.keys = keys;
    constexpr double kStepsInRow = 1000;  // the loop runs for seconds
    const llm::StepLaunch launch =
        llm::step_launch(system_, llm::Style::kPyTorch, serving::Execution::kFullGraph);
    entry->second = llm::wall_of(system_, framework_step(system_, step, kStepsInRow), launch);
    return entry->second;
  }

  const system::SystemSpec& system_;
  const transformer::TransformerShape shape_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Duration> known_;
};

class ServingLoop {
 public:
  ServingLoop(std::vector<Request>& requests, LoopSteps& steps, Duration turn)
      : requests_(requests), steps_(steps), turn_(turn) {}

  void run() {
    for (std::size_t left = requests_.size(); left > 0;) {
      while (next_ < requests_.size() && requests_[next_].arrival <= now_) {
        waiting_.push_back(next_++);
      }
      if (waiting_.empty() && active_.empty()) {
        now_ = requests_[next_].arrival;
        continue;
      }
      if (!waiting_.empty() && active_.size() < kSlots) left -= prefill();
      if (!active_.empty()) left -= decode();
    }
  }

 private:
  struct Active {
    std::size_t request = 0;
    std::uint64_t tokens = 1;
  };

  // Each returns how many requests have ended.
  std::size_t prefill() {
    Request& request = requests_[waiting_.front()];
    now_ += steps_.prefill(request.prompt) + turn_;
    request.first = request.finish = now_;
    if (request.output > 1) active_.push_back({waiting_.front()});
    waiting_.pop_front();
    return request.output > 1 ? 0 : 1;
  }

  std::size_t decode() {
    now_ += steps_.decode(active_.size()) + turn_;
    const auto done = [&](Active& one) {
      if (++one.tokens < requests_[one.request].output) return false;
      requests_[one.request].finish = now_;
      return true;
    };
    return std::erase_if(active_, done);
  }

  std::vector<Request>& requests_;
  LoopSteps& steps_;
  const Duration turn_;
  std::deque<std::size_t> waiting_;
  std::vector<Active> active_;
  std::size_t next_ = 0;
  Duration now_{};
};

double number_of(const std::string& text, const Location& where) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !(value >= 0)) {
    throw ConfigError(where, "\"" + text + "\" is no number that is not negative");
  }
  return value;
}

// The requests' arrivals and lengths; their answers are not read.
std::vector<Request> requests_of(const MeasuredRow& row) {
  const std::filesystem::path file =
      std::filesystem::path(row.file).parent_path() / row.text("requests_csv");
  std::ifstream in(file);
  if (!in) throw ConfigError(row.where(), "case.requests_csv: " + file.string() + " can't be read");
  nsight::CsvReader reader(in);
  const auto header = reader.next();
  if (!header) throw ConfigError({file.string(), 0, 0, -1}, "no requests");
  const auto column = [&](const char* name) {
    const auto found = std::ranges::find(header->fields, name);
    if (found == header->fields.end()) {
      throw ConfigError({file.string(), 1, 0, -1}, std::string("no column ") + name);
    }
    return static_cast<std::size_t>(found - header->fields.begin());
  };
  const std::size_t arrival = column("arrival_s");
  const std::size_t prompt = column("prompt_tokens");
  const std::size_t output = column("output_tokens");
  std::vector<Request> out;
  while (const auto record = reader.next()) {
    const Location where{file.string(), record->line, 0, -1};
    if (record->fields.size() != header->fields.size())
      throw ConfigError(where, "another number of fields");
    Request request;
    request.arrival = from_seconds(number_of(record->fields[arrival], where));
    request.prompt = static_cast<std::uint64_t>(number_of(record->fields[prompt], where));
    request.output = static_cast<std::uint64_t>(number_of(record->fields[output], where));
    if (request.prompt > kLengths.back())
      throw ModelError("a prompt is longer than the loop takes");
    out.push_back(request);
  }
  if (out.empty()) throw ConfigError({file.string(), 0, 0, -1}, "no requests");
  std::ranges::stable_sort(out, {}, &Request::arrival);
  return out;
}

double milliseconds(Duration time) { return to_us(time) / 1000; }

// The values that the percentiles of a metric are taken of; none for other metrics.
std::vector<double> values_of(const std::string& metric, const std::vector<Request>& requests) {
  std::vector<double> out;
  for (const Request& request : requests) {
    const auto more = static_cast<double>(std::max<std::uint64_t>(2, request.output) - 1);
    if (metric.starts_with("ttft")) out.push_back(milliseconds(request.first - request.arrival));
    if (metric.starts_with("e2e")) out.push_back(milliseconds(request.finish - request.arrival));
    if (metric.starts_with("tpot")) {
      out.push_back(milliseconds(request.finish - request.first) / more);
    }
  }
  std::ranges::sort(out);
  return out;
}

std::optional<double> answer(const std::string& metric, const std::vector<Request>& requests) {
  Duration end{};
  double tokens = 0;
  for (const Request& request : requests) {
    end = std::max(end, request.finish);
    tokens += static_cast<double>(request.output);
  }
  if (metric == "makespan") return to_seconds(end);
  if (metric == "output_tokens_per_s") return tokens / to_seconds(end);
  const std::vector<double> values = values_of(metric, requests);
  const std::size_t at = metric.find("_p");
  if (values.empty() || at == std::string::npos) return std::nullopt;
  const double share = std::strtod(metric.c_str() + at + 2, nullptr) / 100;
  const auto index = static_cast<std::size_t>(share * static_cast<double>(values.size()));
  return values[std::min(values.size() - 1, index)];
}

Prediction serve(const MeasuredRow& row, const system::SystemSpec& system) {
  std::vector<Request> requests = requests_of(row);
  LoopSteps steps(system, shape_of(row, "shape"));
  ServingLoop(requests, steps, system.host.collective_cost).run();
  const std::optional<double> value = answer(row.metric, requests);
  if (!value) return unsupported("no metric " + row.metric);
  return {value, "the loop"};
}

}  // namespace

std::vector<CaseKind> serve_cases() { return {{"serve", "", serve}}; }

}  // namespace septet::validation
