// A queue of small values in one piece of memory: first in, first out, none while it is empty and
// new (std::deque takes 600 bytes then).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace septet {

template <class T>
class Fifo {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  // The i-th from the front.
  T& operator[](std::size_t i) { return ring_[(first_ + i) & (ring_.size() - 1)]; }
  const T& operator[](std::size_t i) const { return ring_[(first_ + i) & (ring_.size() - 1)]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  const T& back() const { return (*this)[size_ - 1]; }

  void push_back(T value) {
    if (size_ == ring_.size()) grow();
    ++size_;
    (*this)[size_ - 1] = std::move(value);
  }
  void pop_front() {
    first_ = (first_ + 1) & (ring_.size() - 1);
    --size_;
  }

 private:
  // The ring's size is a power of two.
  void grow() {
    std::vector<T> larger(ring_.empty() ? 4 : ring_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move((*this)[i]);
    ring_ = std::move(larger);
    first_ = 0;
  }

  std::vector<T> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace septet
