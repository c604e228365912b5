#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "tools/probe/measure.cuh"

namespace probe {

void check(cudaError_t result, const char* file, int line) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "probe: %s:%d: %s\n", file, line, cudaGetErrorString(result));
  std::exit(1);
}

double now_us() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double event_us(int runs, const std::function<void()>& work, int warm_up) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (int i = 0; i < warm_up; ++i) work();
  CHECK(cudaDeviceSynchronize());
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    CHECK(cudaEventRecord(begin));
    work();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    times.push_back(milliseconds * 1e3);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return median(times);
}

double wall_us(int runs, const std::function<void()>& work, double* issue, int warm_up) {
  for (int i = 0; i < warm_up; ++i) {
    work();
    CHECK(cudaDeviceSynchronize());
  }
  std::vector<double> walls, issues;
  for (int i = 0; i < runs; ++i) {
    const double begin = now_us();
    work();
    const double issued = now_us();
    CHECK(cudaDeviceSynchronize());
    walls.push_back(now_us() - begin);
    issues.push_back(issued - begin);
  }
  CHECK(cudaGetLastError());
  if (issue != nullptr) *issue = median(issues);
  return median(walls);
}

void Case::key(const std::string& name) {
  if (!body_.empty()) body_ += ", ";
  body_ += "\"" + name + "\": ";
}

Case& Case::number(const std::string& name, double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", value);
  key(name);
  body_ += text;
  return *this;
}

Case& Case::text(const std::string& name, const std::string& value) {
  key(name);
  body_ += "\"" + value + "\"";
  return *this;
}

void Rows::add(const Case& about, const char* metric, double value, const char* unit, int runs) {
  std::fprintf(file_,
               "{\"group\": \"%s\", \"case\": %s, \"metric\": \"%s\", \"value\": %.6g, "
               "\"unit\": \"%s\", \"n\": %d}\n",
               group_.c_str(), about.json().c_str(), metric, value, unit, runs);
  std::fflush(file_);
}

std::vector<cudaStream_t> make_streams(int count) {
  std::vector<cudaStream_t> out(count);
  for (cudaStream_t& stream : out) {
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  return out;
}

void destroy(const std::vector<cudaStream_t>& streams) {
  for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
}

int registers_of(const void* kernel) {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, kernel));
  return attributes.numRegs;
}

}  // namespace probe
