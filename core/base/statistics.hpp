// Summaries of many numbers: exact ones over a vector, running ones in constant memory, and a
// histogram with a bounded relative error. All are deterministic; merging histograms gives the
// same result in any order.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace septet {

// The value at `percent` (0 to 100) of the sorted values, linear between the two nearest ranks:
// rank = percent / 100 * (n - 1). The rule of NumPy's default. Asserts at least one value, no NaN.
double percentile(std::span<const double> values, double percent);

// percentile(values, 50): the middle value, or the mean of the middle two.
double median(std::span<const double> values);

// sum(w x) / sum(w). Asserts equal lengths, no negative weight and a positive sum of weights.
double weighted_mean(std::span<const double> values, std::span<const double> weights);

// Smallest, largest and mean of values as they come. The mean's sum is compensated (Neumaier), so
// that it does not drift over billions of values.
class RunningStatistics {
 public:
  void add(double value);

  std::uint64_t count() const { return count_; }
  double sum() const { return sum_ + compensation_; }
  double mean() const;  // these three assert that there is a value
  double min() const;
  double max() const;

 private:
  std::uint64_t count_ = 0;
  double sum_ = 0;
  double compensation_ = 0;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
};

// Counts of non-negative integers (picoseconds, bytes) in log-linear buckets: values below 2^p have
// a bucket each, every later octave has 2^(p-1) equal ones. A quantile is therefore off by at most
// 2^-p of the value; smallest, largest, mean and count are exact.
class Histogram {
 public:
  explicit Histogram(unsigned precision_bits = 8);  // 1 to 16; 8: within 0.4 %

  void add(std::int64_t value, std::uint64_t times = 1);
  void merge(const Histogram& other);  // asserts the same precision

  struct Bucket {
    std::int64_t first;
    std::int64_t last;  // inclusive
    std::uint64_t count;
  };
  std::vector<Bucket> buckets() const;  // those that are not empty, ascending

  std::uint64_t count() const { return count_; }
  std::int64_t min() const;  // these four assert that there is a value
  std::int64_t max() const;
  double mean() const;
  // The middle of the bucket that holds the smallest value with at least `percent` of all values
  // at or below it (nearest rank), kept within min and max.
  std::int64_t percentile(double percent) const;

 private:
  std::size_t index_of(std::uint64_t value) const;
  Bucket bucket(std::size_t index) const;

  unsigned precision_bits_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  __extension__ unsigned __int128 sum_ = 0;
  std::int64_t min_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_ = 0;
};

}  // namespace septet
