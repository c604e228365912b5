// Measures a GPU and its host in about ten seconds: PREFIX.json describes the device, PREFIX.jsonl
// holds measured rows. make_profile.py makes a hardware profile from both.
#include <cstdlib>
#include <cstring>

#include "tools/probe/parts.cuh"
#include "tools/probe/spin.cuh"

namespace {

struct Part {
  const char* name;
  void (*measure)(probe::Rows& rows, const probe::Device& device);
};

constexpr Part kParts[] = {
    {"launch", probe::measure_launches},     {"graph", probe::measure_graphs},
    {"streams", probe::measure_streams},     {"blocks", probe::measure_blocks},
    {"queue", probe::measure_queue},         {"copy", probe::measure_copies},
    {"bandwidth", probe::measure_bandwidth}, {"latency", probe::measure_latency},
    {"pipes", probe::measure_pipes},         {"fetch", probe::measure_fetch},
    {"roofline", probe::measure_roofline}};

constexpr std::size_t kNeededBytes = std::size_t{5} << 30;

[[noreturn]] void usage() {
  std::fprintf(stderr,
               "usage: probe PREFIX [DEVICE]\n\nMeasures GPU number DEVICE (default 0) and writes "
               "PREFIX.json and PREFIX.jsonl.\nexample: probe my-gpu && python3 "
               "tools/probe/make_profile.py my-gpu\n");
  std::exit(2);
}

std::FILE* open_for_writing(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file != nullptr) return file;
  std::perror(("probe: " + path).c_str());
  std::exit(1);
}

void close(std::FILE* file, const std::string& path) {
  const bool failed = std::ferror(file) != 0;
  if (std::fclose(file) == 0 && !failed) return;
  std::fprintf(stderr, "probe: %s: cannot be written\n", path.c_str());
  std::exit(1);
}

probe::Device device_of(int index) {
  CHECK(cudaSetDevice(index));
  CHECK(cudaFree(nullptr));
  probe::Device out;
  out.index = index;
  CHECK(cudaDeviceGetAttribute(&out.sm_count, cudaDevAttrMultiProcessorCount, index));
  std::size_t total = 0;
  CHECK(cudaMemGetInfo(&out.free_bytes, &total));
  if (out.free_bytes < kNeededBytes) {
    std::fprintf(stderr, "probe: %zu bytes of device memory are free, %zu are needed\n",
                 out.free_bytes, kNeededBytes);
    std::exit(1);
  }
  out.ghz = probe::sm_gigahertz();
  return out;
}

// Launches until the clocks of CPU and GPU have ramped up and the driver is initialised.
void warm_up() {
  constexpr double kTime = 1e6;
  const double begin = probe::now_us();
  while (probe::now_us() - begin < kTime) {
    for (int k = 0; k < 1000; ++k) probe::empty_kernel<<<1, 32>>>();
    CHECK(cudaDeviceSynchronize());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || argv[1][0] == '-') usage();
  const std::string prefix = argv[1];
  const int index = argc > 2 ? std::atoi(argv[2]) : 0;
  const double begin = probe::now_us();
  const probe::Device device = device_of(index);
  warm_up();
  std::FILE* about = open_for_writing(prefix + ".json");
  probe::write_device(about, index, device);
  close(about, prefix + ".json");
  std::FILE* file = open_for_writing(prefix + ".jsonl");
  probe::Rows rows(file);
  for (const Part& part : kParts) {
    part.measure(rows, device);
    std::fprintf(stderr, "probe: %-9s done after %.1f s\n", part.name,
                 (probe::now_us() - begin) * 1e-6);
  }
  close(file, prefix + ".jsonl");
}
