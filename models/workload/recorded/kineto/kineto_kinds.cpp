#include "models/workload/recorded/kineto/kineto_kinds.hpp"

#include "models/workload/recorded/kineto/key_table.hpp"

namespace septet {
namespace {

using enum RecordedKind;

constexpr KeyTable<RecordedKind, 16> kCategories({{
    {"cpu_op", kCpuOp},
    {"Operator", kCpuOp},
    {"user_annotation", kAnnotation},
    {"cuda_runtime", kRuntime},
    {"cuda_driver", kRuntime},
    {"Runtime", kRuntime},
    {"kernel", kKernel},
    {"Kernel", kKernel},
    {"gpu_memcpy", kCopy},
    {"Memcpy", kCopy},
    {"gpu_memset", kFill},
    {"Memset", kFill},
    {"cuda_sync", kSync},
    {"cuda_event", kSync},
    {"overhead", kOverhead},
    {"hip_runtime", kRuntime},
}});

}  // namespace

RecordedKind kineto_kind(std::string_view category) { return kCategories.find(category, kOther); }

bool is_kineto_flow(std::string_view category) { return category == "fwdbwd"; }

}  // namespace septet
