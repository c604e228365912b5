// No operator is faster than the hardware: the models' own times, before anything holds them back,
// over random shapes of every operator and type on every shipped GPU.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/physical_floor.hpp"
#include "models/program/operators/operator_kinds.hpp"
#include "scenarios/config/hardware/profile.hpp"

namespace septet::test {
namespace {

using Random = std::mt19937_64;

// From 1 to `most`, every power of ten as likely.
double size_of(double most, Random& random) {
  std::uniform_real_distribution<double> power(0, std::log(most));
  return std::clamp(std::round(std::exp(power(random))), 1.0, most);
}

// Small enough that most shapes fit into a GPU.
program::Operator random_shape(const program::OperatorKind& kind, program::DataType type,
                               Random& random) {
  constexpr std::uint64_t kMost = 1U << 17;
  program::Operator out = kind.preset;
  set_type(out, type);
  for (const program::ShapeField& field : kind.fields) {
    const bool flip = std::bernoulli_distribution(0.5)(random);
    if (field.flag) {
      field.set(out, flip ? 1 : 0);
    } else if (!field.like.empty() && flip) {
      field.set(out, kind.field(field.like)->get(out));
    } else if (field.required || flip) {
      field.set(out, size_of(static_cast<double>(std::min(field.most, kMost)), random));
    }
  }
  return out;
}

std::string text_of_shape(const program::OperatorKind& kind, const program::Operator& what) {
  std::string out = kind.name;
  for (const program::ShapeField& field : kind.fields) {
    out += " " + field.key + "=" + std::to_string(std::llround(field.get(what)));
  }
  return out;
}

class PhysicalFloor : public ::testing::TestWithParam<std::string> {
 protected:
  PhysicalFloor() : gpu_(config::gpu_spec(profile())) {}

  static config::Profile profile() {
    const config::ProfileLibrary library({std::string(SEPTET_SOURCE_DIRECTORY) + "/data"});
    return library.find(config::ProfileKind::kGpu, GetParam(), {}, "");
  }

  // How many shapes were timed.
  int look(const program::OperatorKind& kind, program::DataType type, Random& random) {
    constexpr int kShapes = 150;
    int timed = 0;
    for (int i = 0; i < kShapes; ++i) {
      const program::Operator what = random_shape(kind, type, random);
      const double bytes = bytes_of_call(what);
      if (mistake_of(what) || bytes > static_cast<double>(gpu_.memory.count())) continue;
      timed += compare(kind, {what}) ? 1 : 0;
    }
    return timed;
  }

  bool compare(const program::OperatorKind& kind, program::OperatorWork work) {
    set_state(work.what, program::kColdOperands);
    gpu::OperatorTime time;
    try {
      const gpu::LibraryKernels model = modelled_kernels(gpu_, work);
      const auto* kernel = std::get_if<program::Kernel>(&model.run);
      time = kernel != nullptr ? described_time(gpu_, *kernel)
                               : std::get<gpu::OperatorTime>(model.run);
    } catch (const ModelError&) {
      return false;  // no such instructions, or no such grid
    }
    const Duration floor = physical_floor(gpu_, work.what, time.clock);
    EXPECT_GE(time.time, floor) << text_of_shape(kind, work.what) << " "
                                << text_of(type_of(work.what)) << " on " << gpu_.name << ": "
                                << to_us(time.time) << " us, at least " << to_us(floor);
    return true;
  }

 private:
  gpu::GpuSpec gpu_;
};

TEST_P(PhysicalFloor, IsBelowWhatTheModelsSayOfRandomShapes) {
  constexpr std::uint64_t kSeed = 20261201;
  Random random(kSeed);
  int timed = 0;
  for (const program::OperatorKind& kind : program::operator_kinds()) {
    for (const program::DataType type : kind.types) timed += look(kind, type, random);
  }
  EXPECT_GT(timed, 1000) << "of shapes that fit";
}

INSTANTIATE_TEST_SUITE_P(Shipped, PhysicalFloor,
                         ::testing::Values("h200-sxm", "h100-sxm", "a100-sxm-80gb", "b200-sxm",
                                           "l40s", "rtx-4090"));

}  // namespace
}  // namespace septet::test
