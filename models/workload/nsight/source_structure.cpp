#include "models/workload/nsight/source_structure.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include <re2/re2.h>

namespace septet::nsight {
namespace {

constexpr double kAll = 64;  // more loads than a warp of these kernels has

// `name`: a regular expression; its group, where it has one, is a count.
struct Family {
  const char* name;
  SourceStructure structure;
};

SourceStructure batches(double in_flight, double dependent) {
  return {LoadPattern::kBatches, in_flight, dependent, 1, 1};
}

SourceStructure other(LoadPattern pattern, double dependent) {
  return {pattern, kAll, dependent, 1, 1};
}

// The first family that the name belongs to counts.
const std::vector<Family>& families() {
  using P = LoadPattern;
  static const std::vector<Family> kFamilies = {
      {"elementwise_kernel_with_index|DeviceScanInit|FillFunctor", other(P::kWritesOnly, 0)},
      {"gemm|nvjet|cutlass::Kernel|xmma|sdpa|flash|fmha|wgrad|dgrad|fprop|conv",
       other(P::kPipeline, 0)},
      {"unrolled_elementwise.*direct_copy", other(P::kConvertedLoad, 0)},
      {"vectorized_elementwise|unrolled_elementwise", batches(kAll, 0)},
      {"elementwise_kernel<128, (\\d)", other(P::kElementLoop, 0)},
      {"CatArrayBatchedCopy", batches(1, 1)},
      {"gather|index|embedding", batches(kAll, 1)},
      {"multi_tensor_apply.*Metadata<(?:float, )?(\\d)", other(P::kTensorLists, 1)},
      {"multi_tensor_apply", other(P::kTensorLists, 1)},
      {"reduce_kernel", other(P::kReduction, 1)},
      {"layer_norm|softmax|rms", batches(kAll, 1)},
      {"splitKreduce", batches(4, 1)},
      {"singleread", batches(8, 1)},
      {"bn_|batch_norm", batches(3, 1)},
      {"nchwToNhwc|nhwcToNchw", batches(kAll, 0)},
      {"DeviceScanKernel", batches(kAll, 1)}};
  return kFamilies;
}

struct CompiledFamily {
  std::unique_ptr<const RE2> name;  // which cannot be moved itself
  SourceStructure structure;
};

const std::vector<CompiledFamily>& compiled_families() {
  static const std::vector<CompiledFamily> kCompiled = [] {
    std::vector<CompiledFamily> out;
    for (const Family& family : families()) {
      out.push_back({std::make_unique<const RE2>(family.name), family.structure});
    }
    return out;
  }();
  return kCompiled;
}

// Rows and columns of the tile that the name states; 64 x 64 where it states none.
std::array<int, 2> tile_in(const std::string& name) {
  static const RE2 kNvjet("_(\\d+)x(\\d+)_");
  static const RE2 kTileSize("tilesize(\\d+)x(\\d+)");
  static const RE2 kThree("_(\\d+)x(\\d+)x(\\d+)_");
  const bool nvjet = name.find("nvjet") != std::string::npos;
  int rows = 0;
  int columns = 0;
  int depth = 0;
  const bool found = nvjet ? RE2::PartialMatch(name, kNvjet, &rows, &columns)
                           : RE2::PartialMatch(name, kTileSize, &rows, &columns) ||
                                 RE2::PartialMatch(name, kThree, &rows, &columns, &depth);
  if (!found) return {64, 64};
  return {rows, columns};
}

}  // namespace

SourceStructure source_structure(const std::string& name) {
  for (const CompiledFamily& family : compiled_families()) {
    const bool counts = family.name->NumberOfCapturingGroups() > 0;
    int count = 0;
    if (counts ? !RE2::PartialMatch(name, *family.name, &count)
               : !RE2::PartialMatch(name, *family.name)) {
      continue;
    }
    SourceStructure out = family.structure;
    if (counts) {
      (out.pattern == LoadPattern::kElementLoop ? out.elements : out.lists) = std::max(1, count);
    }
    return out;
  }
  return {};
}

MatrixInstructions matrix_instructions(const std::string& name) {
  static const RE2 kWarpGroup("nvjet|sm90_xmma|gmma");
  constexpr int kRows = 64;           // of a warp group's instruction
  constexpr double kPerColumn = 0.5;  // 2 x 16 x n x 16 operations at 1024 a cycle and scheduler
  if (RE2::PartialMatch(name, kWarpGroup)) {
    const auto [rows, columns] = tile_in(name);
    return {kPerColumn * (rows % kRows == 0 ? columns : rows), true};
  }
  const bool short_k = name.find("1688") != std::string::npos;  // 16 x 8 x 8
  const bool tf32 = name.find("tf32") != std::string::npos;     // at half rate
  return {short_k && !tf32 ? 2.0 : 4.0, false};
}

bool names_matrix_product(const std::string& name) {
  static const RE2 kNames("gemm|nvjet|sdpa|cutlass|xmma|wgmma");
  return RE2::PartialMatch(name, kNames);
}

}  // namespace septet::nsight
