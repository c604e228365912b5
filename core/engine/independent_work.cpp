#include "core/engine/independent_work.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace septet::engine {

void for_each_independent(std::size_t count, unsigned threads,
                          const std::function<void(std::size_t)>& work) {
  const tbb::global_control most(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, work, tbb::simple_partitioner()); });
}

}  // namespace septet::engine
