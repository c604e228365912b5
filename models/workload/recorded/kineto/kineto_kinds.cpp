#include "models/workload/recorded/kineto/kineto_kinds.hpp"

#include "models/workload/recorded/kineto/key_table.hpp"

namespace septet::recorded {
namespace {

using enum RecordedKind;

constexpr KeyTable<RecordedKind, 16> kCategories({{
    {"cpu_op", kCpuOp},
    {"Operator", kCpuOp},
    {"user_annotation", kAnnotation},
    {"cuda_runtime", kApiCall},
    {"cuda_driver", kApiCall},
    {"Runtime", kApiCall},
    {"kernel", kKernel},
    {"Kernel", kKernel},
    {"gpu_memcpy", kCopy},
    {"Memcpy", kCopy},
    {"gpu_memset", kMemset},
    {"Memset", kMemset},
    {"cuda_sync", kSync},
    {"cuda_event", kSync},
    {"overhead", kOverhead},
    {"hip_runtime", kApiCall},
}});

}  // namespace

std::optional<RecordedKind> kineto_kind(std::string_view category) {
  return kCategories.find(category);
}

}  // namespace septet::recorded
