// Shared by all parts of the probe: checked calls, clocks, medians and output rows.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <cuda_runtime.h>

namespace probe {

// Ends the program with file and line where a CUDA call fails.
void check(cudaError_t result, const char* file, int line);
#define CHECK(call) ::probe::check((call), __FILE__, __LINE__)

double now_us();  // of the CPU
double median(std::vector<double> values);

// Median time of `work` between two events, us.
double event_us(int runs, const std::function<void()>& work, int warm_up = 2);

// Median time of `work` and a synchronisation of the device on the CPU's clock, us; `issue` gets
// the median without the synchronisation.
double wall_us(int runs, const std::function<void()>& work, double* issue = nullptr,
               int warm_up = 2);

// What a case runs: keys and values as data/measurements/FORMAT.md has them.
class Case {
 public:
  explicit Case(const std::string& what) { text("what", what); }
  Case& number(const std::string& key, double value);
  Case& text(const std::string& key, const std::string& value);
  std::string json() const { return "{" + body_ + "}"; }

 private:
  void key(const std::string& name);
  std::string body_;
};

// Measured rows, one JSON object per line.
class Rows {
 public:
  explicit Rows(std::FILE* file) : file_(file) {}
  void group(const std::string& name) { group_ = name; }
  void add(const Case& about, const char* metric, double value, const char* unit, int runs);

 private:
  std::FILE* file_;
  std::string group_;
};

// Device memory, freed at the end of its scope.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) {
    CHECK(cudaMalloc(&data_, bytes));
    CHECK(cudaMemset(data_, 1, bytes));
  }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
};

std::vector<cudaStream_t> make_streams(int count);
void destroy(const std::vector<cudaStream_t>& streams);

int registers_of(const void* kernel);

// The device, as input of the parts.
struct Device {
  int index = 0;
  int sm_count = 0;
  double ghz = 0;              // of the SMs, measured
  std::size_t free_bytes = 0;  // memory that can be allocated
  long long cycles(double microseconds) const {
    return static_cast<long long>(microseconds * 1e3 * ghz);
  }
};

}  // namespace probe
