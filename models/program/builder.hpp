// Writes Programs: objects first, then the calls of one thread after another, or of a list shared
// by threads, in program order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/program/program.hpp"

namespace septet::program {

class ProgramBuilder {
 public:
  ProgramBuilder() = default;
  // Goes on from where `program` ends.
  explicit ProgramBuilder(Program program);

  // Makes room for so many devices, processes; streams and threads add those that they name.
  void devices(std::uint32_t count);
  void processes(std::uint32_t count);

  // Each adds one object and returns its index.
  std::uint32_t kernel(Kernel kernel);
  std::uint32_t graph(Graph graph);
  std::uint32_t stream(std::int32_t priority = 0, std::uint32_t process = 0,
                       std::uint32_t device = 0, std::uint32_t context = kNone);
  std::uint32_t stream(Stream stream);
  // A green context; streams name it by its index.
  std::uint32_t context(std::string name, std::uint32_t sm_count, std::uint32_t process = 0,
                        std::uint32_t device = 0);
  std::uint32_t event(std::uint32_t count = 1);  // of several the first one
  std::uint32_t signal(std::string name = {});
  std::uint32_t queue(std::string name = {});
  std::uint32_t communicator(std::vector<std::uint32_t> devices, std::string name = {});
  std::uint32_t collective(Collective collective);

  // Each returns the index of an equal object, adding it if there is none.
  std::uint32_t string(std::string_view text);
  std::uint32_t kernel_once(Kernel kernel);
  std::uint32_t collective_once(Collective collective);

  // Later calls belong to this thread, or list, until another is added.
  std::uint32_t thread(std::uint32_t process = 0, std::string name = "main");
  std::uint32_t thread(HostThread thread);
  std::uint32_t call_list();

  void launch(std::uint32_t kernel, std::uint32_t stream, bool programmatic = false);
  void launch_graph(std::uint32_t graph, std::uint32_t stream);
  void upload_graph(std::uint32_t graph, std::uint32_t stream);
  void instantiate_graph(std::uint32_t graph);
  // A copy to pageable memory is not asynchronous.
  void copy(std::uint32_t stream, CopyDirection direction, Bytes bytes, bool pinned = true);
  void memset(std::uint32_t stream, Bytes bytes);
  void record(std::uint32_t event, std::uint32_t stream);
  void wait(std::uint32_t event, std::uint32_t stream);
  void synchronize_device(std::uint32_t device = 0);
  void synchronize_stream(std::uint32_t stream);
  void work(Duration time);
  void post(std::uint32_t signal);
  void await(std::uint32_t signal, std::uint64_t times);
  // `first`: false for the further items of one store, which cost the CPU nothing.
  void push(std::uint32_t queue, Duration work, bool first = true);
  void await_items(std::uint32_t queue, std::uint64_t done);
  void join(std::uint32_t collective, std::uint32_t stream);  // as the rank of the stream's device
  void add(const Call& call) { calls().push_back(call); }

  const Program& program() const { return program_; }
  Program take() { return std::move(program_); }

 private:
  std::vector<Call>& calls();

  Program program_;
  bool in_list_ = false;  // the list that was added last takes the calls, not the thread
  std::map<std::string, std::uint32_t, std::less<>> strings_;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> kernels_;  // by name
  std::map<Collective, std::uint32_t> collectives_;
};

// A kernel whose blocks do nothing but take `block_time` by the SM's clock.
Kernel spin_kernel(std::uint64_t blocks, std::uint32_t threads, Duration block_time);

// A chain of kernels as a graph.
Graph chain_graph(std::uint32_t kernel, std::uint32_t nodes, bool programmatic = false);

}  // namespace septet::program
