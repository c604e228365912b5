#include "scenarios/validate/validate_rows.hpp"

#include <mutex>
#include <utility>

#include "core/engine/independent_work.hpp"

namespace septet::validation {
namespace {

// The system of each row. Those whose profile is missing get none, and the reason as their
// mistake.
std::vector<const system::SystemSpec*> systems_of(std::vector<MeasuredRow>& rows,
                                                  RowSystems& systems) {
  std::vector<const system::SystemSpec*> out(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].mistake) continue;
    try {
      out[i] = &systems.of(rows[i]);
    } catch (const ConfigError& error) {
      if (rows[i].hardware.empty() || error.where().file.starts_with("--")) throw;
      rows[i].mistake = error.reason();
    }
  }
  return out;
}

class Counter {
 public:
  Counter(std::size_t all, const std::function<void(double)>& progress)
      : all_(all), progress_(progress) {}

  void count() {
    const std::lock_guard lock(mutex_);
    progress_(static_cast<double>(++done_) / static_cast<double>(all_));
  }

 private:
  std::mutex mutex_;
  std::size_t done_ = 0;
  std::size_t all_;
  const std::function<void(double)>& progress_;
};

}  // namespace

std::vector<ValidatedRow> validate_rows(std::vector<MeasuredRow> rows, RowSystems& systems,
                                        unsigned threads,
                                        const std::function<void(double)>& progress) {
  const std::vector<const system::SystemSpec*> system = systems_of(rows, systems);
  std::vector<ValidatedRow> out(rows.size());
  Counter counter(rows.size(), progress);
  const auto answer = [&](std::size_t i) {
    Prediction prediction =
        rows[i].mistake ? unsupported(*rows[i].mistake) : predict(rows[i], *system[i]);
    out[i] = {std::move(rows[i]), std::move(prediction)};
    counter.count();
  };
  engine::for_each_independent(rows.size(), threads, answer);
  return out;
}

std::vector<std::string> measurement_files(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) {
    for (std::string& file : measurement_files(name)) out.push_back(std::move(file));
  }
  return out;
}

std::vector<MeasuredRow> read_measurements(const std::vector<std::string>& files) {
  std::vector<MeasuredRow> rows;
  for (const std::string& file : files) {
    for (MeasuredRow& row : read_measurements(file)) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace septet::validation
