#include "models/workload/nsight/source_structure.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <regex>

namespace septet::nsight {
namespace {

constexpr double kAll = 64;  // more loads than a warp of these kernels has

struct Family {
  std::regex name;
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
      {std::regex("elementwise_kernel_with_index|DeviceScanInit|FillFunctor"),
       other(P::kWritesOnly, 0)},
      {std::regex("gemm|nvjet|cutlass::Kernel|xmma|sdpa|flash|fmha|wgrad|dgrad|fprop|conv"),
       other(P::kPipeline, 0)},
      {std::regex("unrolled_elementwise.*direct_copy"), other(P::kConvertedLoad, 0)},
      {std::regex("vectorized_elementwise|unrolled_elementwise"), batches(kAll, 0)},
      {std::regex("elementwise_kernel<128, (\\d)"), other(P::kElementLoop, 0)},
      {std::regex("CatArrayBatchedCopy"), batches(1, 1)},
      {std::regex("gather|index|embedding"), batches(kAll, 1)},
      {std::regex("multi_tensor_apply.*Metadata<(?:float, )?(\\d)"), other(P::kTensorLists, 1)},
      {std::regex("multi_tensor_apply"), other(P::kTensorLists, 1)},
      {std::regex("reduce_kernel"), other(P::kReduction, 1)},
      {std::regex("layer_norm|softmax|rms"), batches(kAll, 1)},
      {std::regex("splitKreduce"), batches(4, 1)},
      {std::regex("singleread"), batches(8, 1)},
      {std::regex("bn_|batch_norm"), batches(3, 1)},
      {std::regex("nchwToNhwc|nhwcToNchw"), batches(kAll, 0)},
      {std::regex("DeviceScanKernel"), batches(kAll, 1)}};
  return kFamilies;
}

double number_in(const std::smatch& match, std::size_t group) {
  return std::strtod(match[group].str().c_str(), nullptr);
}

// Rows and columns of the tile that the name states; 64 x 64 where it states none.
std::array<int, 2> tile_in(const std::string& name) {
  static const std::regex kNvjet("_(\\d+)x(\\d+)_");
  static const std::regex kTileSize("tilesize(\\d+)x(\\d+)");
  static const std::regex kThree("_(\\d+)x(\\d+)x(\\d+)_");
  const bool nvjet = name.find("nvjet") != std::string::npos;
  std::smatch match;
  const bool found =
      nvjet ? std::regex_search(name, match, kNvjet)
            : std::regex_search(name, match, kTileSize) || std::regex_search(name, match, kThree);
  if (!found) return {64, 64};
  return {std::atoi(match[1].str().c_str()), std::atoi(match[2].str().c_str())};
}

}  // namespace

SourceStructure source_structure(const std::string& name) {
  for (const Family& family : families()) {
    std::smatch match;
    if (!std::regex_search(name, match, family.name)) continue;
    SourceStructure out = family.structure;
    if (match.size() > 1 && match[1].matched) {
      const double count = std::max(1.0, number_in(match, 1));
      (out.pattern == LoadPattern::kElementLoop ? out.elements : out.lists) = count;
    }
    return out;
  }
  return {};
}

MatrixInstructions matrix_instructions(const std::string& name) {
  static const std::regex kWarpGroup("nvjet|sm90_xmma|gmma");
  constexpr int kRows = 64;           // of a warp group's instruction
  constexpr double kPerColumn = 0.5;  // 2 x 16 x n x 16 operations at 1024 a cycle and scheduler
  if (std::regex_search(name, kWarpGroup)) {
    const auto [rows, columns] = tile_in(name);
    return {kPerColumn * (rows % kRows == 0 ? columns : rows), true};
  }
  const bool short_k = name.find("1688") != std::string::npos;  // 16 x 8 x 8
  const bool tf32 = name.find("tf32") != std::string::npos;     // at half rate
  return {short_k && !tf32 ? 2.0 : 4.0, false};
}

bool names_matrix_product(const std::string& name) {
  static const std::regex kNames("gemm|nvjet|sdpa|cutlass|xmma|wgmma");
  return std::regex_search(name, kNames);
}

}  // namespace septet::nsight
