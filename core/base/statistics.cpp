#include "core/base/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/error.hpp"

namespace septet {

double percentile(std::span<const double> values, double percent) {
  SEPTET_ASSERT(!values.empty());
  SEPTET_ASSERT(percent >= 0 && percent <= 100);
  SEPTET_ASSERT(std::ranges::none_of(values, [](double value) { return std::isnan(value); }));
  std::vector<double> sorted(values.begin(), values.end());
  const double rank = percent / 100 * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(rank);
  const auto at = sorted.begin() + below;
  std::nth_element(sorted.begin(), at, sorted.end());
  const double fraction = rank - static_cast<double>(below);
  if (fraction == 0) return *at;
  const double above = *std::min_element(at + 1, sorted.end());
  return *at + fraction * (above - *at);
}

double median(std::span<const double> values) { return percentile(values, 50); }

double weighted_mean(std::span<const double> values, std::span<const double> weights) {
  SEPTET_ASSERT(values.size() == weights.size());
  RunningStatistics products;
  RunningStatistics total;
  for (std::size_t i = 0; i < values.size(); ++i) {
    SEPTET_ASSERT(weights[i] >= 0);
    products.add(values[i] * weights[i]);
    total.add(weights[i]);
  }
  SEPTET_ASSERT(total.sum() > 0);
  return products.sum() / total.sum();
}

void RunningStatistics::add(double value) {
  const double sum = sum_ + value;
  const bool old_is_larger = std::abs(sum_) >= std::abs(value);
  compensation_ += old_is_larger ? (sum_ - sum) + value : (value - sum) + sum_;
  sum_ = sum;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  ++count_;
}

double RunningStatistics::mean() const {
  SEPTET_ASSERT(count_ > 0);
  return sum() / static_cast<double>(count_);
}

double RunningStatistics::min() const {
  SEPTET_ASSERT(count_ > 0);
  return min_;
}

double RunningStatistics::max() const {
  SEPTET_ASSERT(count_ > 0);
  return max_;
}

Histogram::Histogram(unsigned precision_bits) : precision_bits_(precision_bits) {
  SEPTET_ASSERT(precision_bits >= 1 && precision_bits <= 16);
}

// A value of b > p bits keeps its p leading bits: octave b - p, and the p - 1 bits after the first.
std::size_t Histogram::index_of(std::uint64_t value) const {
  const auto bits = static_cast<unsigned>(std::bit_width(value));
  if (bits <= precision_bits_) return value;
  const unsigned shift = bits - precision_bits_;
  return (static_cast<std::size_t>(shift) << (precision_bits_ - 1)) + (value >> shift);
}

Histogram::Bucket Histogram::bucket(std::size_t index) const {
  const std::size_t half = std::size_t{1} << (precision_bits_ - 1);
  const std::size_t shift = index < 2 * half ? 0 : index / half - 1;
  const std::uint64_t leading = index - shift * half;
  const std::uint64_t first = leading << shift;
  const std::uint64_t last = first + ((std::uint64_t{1} << shift) - 1);
  return {static_cast<std::int64_t>(first), static_cast<std::int64_t>(last), counts_[index]};
}

void Histogram::add(std::int64_t value, std::uint64_t times) {
  SEPTET_ASSERT(value >= 0);
  if (times == 0) return;
  const std::size_t index = index_of(static_cast<std::uint64_t>(value));
  if (index >= counts_.size()) counts_.resize(index + 1);
  counts_[index] += times;
  count_ += times;
  sum_ += static_cast<decltype(sum_)>(value) * times;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

void Histogram::merge(const Histogram& other) {
  SEPTET_ASSERT(precision_bits_ == other.precision_bits_);
  if (counts_.size() < other.counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

std::vector<Histogram::Bucket> Histogram::buckets() const {
  std::vector<Bucket> used;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > 0) used.push_back(bucket(i));
  }
  return used;
}

std::int64_t Histogram::min() const {
  SEPTET_ASSERT(count_ > 0);
  return min_;
}

std::int64_t Histogram::max() const {
  SEPTET_ASSERT(count_ > 0);
  return max_;
}

double Histogram::mean() const {
  SEPTET_ASSERT(count_ > 0);
  return static_cast<double>(sum_) / static_cast<double>(count_);
}

std::int64_t Histogram::percentile(double percent) const {
  SEPTET_ASSERT(count_ > 0);
  SEPTET_ASSERT(percent >= 0 && percent <= 100);
  const double exact = std::ceil(percent / 100 * static_cast<double>(count_));
  const std::uint64_t rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(exact));
  std::uint64_t seen = 0;
  std::size_t index = 0;
  while (seen + counts_[index] < rank && index + 1 < counts_.size()) seen += counts_[index++];
  const Bucket found = bucket(index);
  return std::clamp(found.first + (found.last - found.first) / 2, min_, max_);
}

}  // namespace septet
