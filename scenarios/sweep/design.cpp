#include "scenarios/sweep/design.hpp"

#include <numeric>
#include <utility>

#include <boost/random/sobol.hpp>

#include "core/base/random.hpp"

namespace septet::sweep {
namespace {

using Points = std::vector<std::vector<double>>;

RandomStream stream_of(std::uint64_t seed, std::size_t dimension, std::uint32_t purpose) {
  return RandomStream({seed, static_cast<std::uint32_t>(dimension), purpose});
}

Points random_points(std::size_t count, std::size_t dimensions, std::uint64_t seed) {
  Points out(count, std::vector<double>(dimensions));
  for (std::size_t d = 0; d < dimensions; ++d) {
    RandomStream stream = stream_of(seed, d, 0);
    for (std::vector<double>& point : out) point[d] = stream.uniform();
  }
  return out;
}

std::vector<std::size_t> permutation(std::size_t count, RandomStream stream) {
  std::vector<std::size_t> out(count);
  std::iota(out.begin(), out.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(out[i - 1], out[stream.below(i)]);
  return out;
}

Points latin_hypercube(std::size_t count, std::size_t dimensions, std::uint64_t seed) {
  Points out = random_points(count, dimensions, seed);
  for (std::size_t d = 0; d < dimensions; ++d) {
    const std::vector<std::size_t> interval = permutation(count, stream_of(seed, d, 1));
    for (std::size_t i = 0; i < count; ++i) {
      out[i][d] = (static_cast<double>(interval[i]) + out[i][d]) / static_cast<double>(count);
    }
  }
  return out;
}

Points sobol(std::size_t count, std::size_t dimensions) {
  using Engine = boost::random::sobol_engine<std::uint32_t, 32>;
  Engine engine(dimensions);
  Points out(count, std::vector<double>(dimensions));
  for (std::vector<double>& point : out) {
    for (double& coordinate : point) {
      coordinate = static_cast<double>(engine()) / (static_cast<double>(Engine::max()) + 1);
    }
  }
  return out;
}

}  // namespace

Points design_points(Design design, std::size_t count, std::size_t dimensions, std::uint64_t seed) {
  switch (design) {
    case Design::kRandom:
      return random_points(count, dimensions, seed);
    case Design::kLatinHypercube:
      return latin_hypercube(count, dimensions, seed);
    case Design::kSobol:
      break;
  }
  return sobol(count, dimensions);
}

}  // namespace septet::sweep
