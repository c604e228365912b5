#include "core/engine/independent_work.hpp"

#include <atomic>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

namespace septet::engine {
namespace {

// TBB orders what its threads do after what the one that calls them did before, and the reverse at
// the end. These do the same visibly for the thread sanitizer, which cannot look into TBB; they are
// static so that it sees no beginning of their lives.
constinit std::atomic<std::size_t> handed_over{0};
constinit std::atomic<std::size_t> handed_back{0};

}  // namespace

// What a thread does; a function of its own so that tests/tsan.supp can name it.
struct ArenaTask {
  const std::function<void(std::size_t)>* work;

  [[gnu::noinline]] void operator()(std::size_t index) const {
    handed_over.load(std::memory_order_acquire);
    (*work)(index);
    handed_back.fetch_add(1, std::memory_order_release);
  }
};

void for_each_independent(std::size_t count, tbb::task_arena& arena,
                          const std::function<void(std::size_t)>& work) {
  handed_over.fetch_add(1, std::memory_order_release);
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, count, ArenaTask{&work}, tbb::simple_partitioner());
  });
  handed_back.load(std::memory_order_acquire);
}

void for_each_independent(std::size_t count, unsigned threads,
                          const std::function<void(std::size_t)>& work) {
  const tbb::global_control most(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  for_each_independent(count, arena, work);
}

}  // namespace septet::engine
