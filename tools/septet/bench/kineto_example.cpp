// The made-up trace: training steps of layers, each layer an operator with an operator inside, an
// API call, its flow and the kernel it launched; a copy ends each step.
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <zlib.h>

#include "core/base/error.hpp"
#include "tools/septet/bench/kineto.hpp"

namespace septet::command {
namespace {

constexpr std::size_t kLayersPerStep = 96;
constexpr std::size_t kFlushBytes = 1 << 20;

constexpr std::array<const char*, 4> kKernelNames = {
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>,"
    " std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>,"
    " std::array<char*, 3ul>)",
    "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_NTN",
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float,"
    " false>(int, float, c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*,"
    " float*, c10::BFloat16*)",
    "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4, false, false,"
    " cutlass::bfloat16_t> >(pytorch_flash::Flash_fwd_params)"};

constexpr std::array<const char*, 4> kOperatorNames = {
    "aten::add", "aten::linear", "aten::native_layer_norm", "aten::_scaled_dot_product_attention"};

// Plain text goes through zlib's "transparent" mode, so that there is one way to write.
class Output {
 public:
  Output(const std::string& path, bool gzip)
      : path_(path), file_(gzopen(path.c_str(), gzip ? "wb1" : "wbT")) {
    if (!file_) throw ConfigError({path}, "can't be written");
  }

  std::back_insert_iterator<std::string> end() { return std::back_inserter(text_); }
  std::uint64_t size() const { return flushed_ + text_.size(); }

  void flush(std::size_t at_least) {
    if (text_.size() < at_least) return;
    const int written = gzwrite(file_.get(), text_.data(), static_cast<unsigned>(text_.size()));
    if (written != static_cast<int>(text_.size())) throw ConfigError({path_}, "can't be written");
    flushed_ += text_.size();
    text_.clear();
  }

  void close() {
    flush(1);
    if (gzclose(file_.release()) != Z_OK) throw ConfigError({path_}, "can't be written");
  }

 private:
  struct Close {
    void operator()(gzFile_s* file) const { gzclose(file); }
  };
  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
  std::string text_;
  std::uint64_t flushed_ = 0;
};

// Nanoseconds of the recording as microseconds with three decimals.
std::string microseconds(std::uint64_t ns) {
  constexpr std::uint64_t kStart = 5'106'788'221'131'859;
  return fmt::format("{}.{:03}", (kStart + ns) / 1000, (kStart + ns) % 1000);
}

void write_operator(Output& out, const char* name, std::uint64_t id, std::uint64_t ns,
                    std::uint64_t length) {
  fmt::format_to(out.end(), R"(
  {{
    "ph": "X", "cat": "cpu_op", "name": "{}", "pid": 665, "tid": 665,
    "ts": {}, "dur": {}.{:03},
    "args": {{
      "External id": {}, "Record function id": 0, "Ev Idx": {}
    }}
  }},)",
                 name, microseconds(ns), length / 1000, length % 1000, id, id - 1);
}

void write_call(Output& out, const char* name, std::uint64_t id, std::uint64_t ns) {
  fmt::format_to(out.end(), R"(
  {{
    "ph": "X", "cat": "cuda_runtime", "name": "{}", "pid": 665, "tid": 665,
    "ts": {}, "dur": 4.182,
    "args": {{
      "External id": {}, "cbid": 211, "correlation": {}
    }}
  }},
  {{
    "ph": "s", "id": {}, "pid": 665, "tid": 665, "ts": {},
    "cat": "ac2g", "name": "ac2g"
  }},)",
                 name, microseconds(ns), id, id, id, microseconds(ns));
}

void write_arrival(Output& out, std::uint64_t id, std::uint64_t ns) {
  fmt::format_to(out.end(), R"(
  {{
    "ph": "f", "id": {}, "pid": 0, "tid": 7, "ts": {},
    "cat": "ac2g", "name": "ac2g", "bp": "e"
  }},)",
                 id, microseconds(ns));
}

void write_kernel(Output& out, std::size_t which, std::uint64_t id, std::uint64_t ns) {
  fmt::format_to(out.end(), R"(
  {{
    "ph": "X", "cat": "kernel", "name": "{}", "pid": 0, "tid": 7,
    "ts": {}, "dur": {}.{:03},
    "args": {{
      "External id": {},      "queued": 0, "device": 0, "context": 1,      "stream": 7,
      "correlation": {},      "registers per thread": {},      "shared memory": {},
      "blocks per SM": 1.939394,      "warps per SM": 15.515152,      "grid": [{}, 1, 1],
      "block": [256, 1, 1],      "est. achieved occupancy %": 24
    }}
  }},)",
                 kKernelNames[which], microseconds(ns), 2 + id % 40, id % 1000, id, id,
                 32 + which * 40, which * 16384, 132 * (1 + id % 7));
  write_arrival(out, id, ns);
}

void write_copy(Output& out, std::uint64_t id, std::uint64_t ns) {
  write_call(out, "cudaMemcpyAsync", id, ns);
  fmt::format_to(out.end(), R"json(
  {{
    "ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH (Device -> Pinned)", "pid": 0, "tid": 7,
    "ts": {}, "dur": 1.600,
    "args": {{
      "External id": {},      "device": 0, "context": 1,      "stream": 7, "correlation": {},
      "bytes": 4096,      "memory bandwidth (GB/s)": 2.56
    }}
  }},)json",
                 microseconds(ns + 6000), id, id);
  write_arrival(out, id, ns + 6000);
}

}  // namespace

std::uint64_t write_kineto_example(const std::string& path, std::uint64_t bytes, bool gzip) {
  Output out(path, gzip);
  fmt::format_to(out.end(), R"({{
  "schemaVersion": 1,
  "deviceProperties": [{{"id": 0, "name": "NVIDIA H200", "numSms": 132}}],
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": 1719853884000000000,
  "traceEvents": [)");
  std::uint64_t ns = 0;
  for (std::uint64_t id = 1; out.size() < bytes; ++id, ns += 21'337) {
    const std::size_t which = id % kKernelNames.size();
    write_operator(out, kOperatorNames[which], 2 * id - 1, ns, 20'114);
    write_operator(out, "aten::empty", 2 * id, ns + 1500, 2'871);
    write_call(out, "cudaLaunchKernel", id, ns + 9000);
    write_kernel(out, which, id, ns + 15'500);
    if (id % kLayersPerStep == 0) write_copy(out, ++id, ns + 20'500);
    out.flush(kFlushBytes);
  }
  fmt::format_to(out.end(), R"(
  {{
    "name": "process_name", "ph": "M", "ts": 0, "pid": 665, "tid": 0,
    "args": {{
      "name": "python3"
    }}
  }}
  ]
}})");
  const std::uint64_t size = out.size();
  out.close();
  return size;
}

}  // namespace septet::command
