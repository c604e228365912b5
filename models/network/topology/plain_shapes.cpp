#include <fmt/format.h>

#include "models/network/topology/shapes.hpp"

namespace septet::network {
namespace {

constexpr std::uint64_t kMostGpus = 1U << 20U;
constexpr std::uint32_t kMostFullyConnected = 2048;  // 2 million cables

// One network of a level: its GPUs are `first`, `first + stride`, ...
struct Line {
  std::uint32_t first;
  std::uint32_t stride;
};

void check(const std::vector<Level>& levels) {
  std::uint64_t gpus = 1;
  for (const Level& level : levels) {
    if (level.extent < 2) {
      throw ConfigError::value({}, "topology", fmt::format("a level of {} GPUs", level.extent),
                               "at least 2 GPUs in each level");
    }
    if (level.shape == PlainShape::kFullyConnected && level.extent > kMostFullyConnected) {
      throw ConfigError::value({}, "topology", fmt::format("{} GPUs, each with each", level.extent),
                               fmt::format("at most {}", kMostFullyConnected));
    }
    gpus = std::min(gpus * level.extent, kMostGpus + 1);
  }
  if (gpus > kMostGpus || levels.empty()) {
    throw ConfigError::value({}, "topology", levels.empty() ? "no level" : "more GPUs",
                             fmt::format("2 to {} GPUs", kMostGpus));
  }
}

void join_ring(TopologyBuilder& builder, const Level& level, const Line& line) {
  const std::uint32_t cables = level.extent == 2 ? 1 : level.extent;
  for (std::uint32_t i = 0; i < cables; ++i) {
    const std::uint32_t next = (i + 1) % level.extent;
    builder.connect(line.first + i * line.stride, line.first + next * line.stride,
                    CableKind::kPlain, level.link);
  }
}

void join_switch(TopologyBuilder& builder, const Level& level, const Line& line, std::string name) {
  const VertexId middle = builder.add(VertexKind::kSwitch, std::move(name));
  for (std::uint32_t i = 0; i < level.extent; ++i) {
    builder.connect(line.first + i * line.stride, middle, CableKind::kPlain, level.link);
  }
}

void join_all(TopologyBuilder& builder, const Level& level, const Line& line) {
  for (std::uint32_t i = 0; i < level.extent; ++i) {
    for (std::uint32_t j = i + 1; j < level.extent; ++j) {
      builder.connect(line.first + i * line.stride, line.first + j * line.stride, CableKind::kPlain,
                      level.link);
    }
  }
}

void join_level(TopologyBuilder& builder, std::size_t number, const Level& level,
                std::uint32_t stride, std::uint32_t gpus) {
  std::uint32_t lines = 0;
  for (std::uint32_t block = 0; block < gpus; block += stride * level.extent) {
    for (std::uint32_t offset = 0; offset < stride; ++offset, ++lines) {
      const Line line{.first = block + offset, .stride = stride};
      if (level.shape == PlainShape::kRing) join_ring(builder, level, line);
      if (level.shape == PlainShape::kFullyConnected) join_all(builder, level, line);
      if (level.shape == PlainShape::kSwitch) {
        join_switch(builder, level, line, fmt::format("switch{}.{}", number, lines));
      }
    }
  }
}

}  // namespace

TopologyBuilder plain(const std::vector<Level>& levels) {
  check(levels);
  TopologyBuilder builder;
  std::uint32_t gpus = 1;
  std::vector<std::uint32_t> extents;
  for (const Level& level : levels) {
    gpus *= level.extent;
    extents.push_back(level.extent);
  }
  for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
    builder.add(VertexKind::kGpu, fmt::format("gpu{}", gpu), gpu / levels.front().extent);
  }
  std::uint32_t stride = 1;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    join_level(builder, i, levels[i], stride, gpus);
    stride *= levels[i].extent;
    if (levels[i].shape != PlainShape::kSwitch || levels.size() > 1) builder.forward_through_gpus();
  }
  builder.set_extents(std::move(extents));
  return builder;
}

}  // namespace septet::network
