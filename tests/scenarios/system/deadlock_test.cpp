// Programs that hang, and the explanation: a chain of waits round to its beginning, or to the end
// where nobody can help.
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// Reads and fences of a persistent kernel take 2 us.
system::SystemSpec queue_system() {
  system::SystemSpec system = round_system();
  system.gpu.queue = {2_us, 2_us};
  return system;
}

std::string explanation(const program::Program& program,
                        const system::SystemSpec& system = queue_system()) {
  try {
    run_program(program, system, {});
  } catch (const ModelError& error) {
    return std::string(error.what()) + "\n";
  }
  return "it ended";
}

// A persistent kernel, its queue 0 and the thread 'cpu' that launches it in its call 0.
struct Server {
  program::ProgramBuilder builder;

  explicit Server(std::uint64_t items, std::uint32_t blocks = 1, std::uint32_t threads = 32) {
    builder.stream();
    builder.thread(0, "cpu");
    builder.launch(builder.kernel(kernel("server", items, blocks, threads)), 0);
  }

  program::Kernel kernel(const std::string& name, std::uint64_t items, std::uint32_t blocks = 1,
                         std::uint32_t threads = 32) {
    program::Kernel kernel = program::spin_kernel(blocks, threads, 0_us);
    kernel.name = name;
    kernel.work = program::PersistentWork{builder.queue(), items};
    return kernel;
  }

  void push(int items) {
    for (int i = 0; i < items; ++i) builder.push(0, 1_us);
  }
};

TEST(Deadlock, IsNoneWhereAllItemsArePushed) {
  Server server(3);
  server.push(3);
  server.builder.await_items(0, 3);
  server.builder.synchronize_device();
  EXPECT_EQ(explanation(server.builder.take()), "it ended");
}

TEST(Deadlock, OfAThreadThatAwaitsMoreItemsThanArePushed) {
  Server server(5);
  server.push(3);
  server.builder.await_items(0, 5);
  EXPECT_EQ(explanation(server.builder.take()),
            "the program cannot continue:\n  thread 'cpu' of process 0 at call 4 (await items) "
            "waits for item 5 of queue 0, of "
            "which 3 are done\n"
            "  queue 0 holds no item; nothing will push another one\n"
            "\n"
            "  stream 0: kernel 'server' of call 0 has done 3 of 5 items and waits for 2 more from "
            "queue 0\n"
            "  queue 0 holds no item; nothing will push another one\n");
}

TEST(Deadlock, OfADeviceThatIsWaitedForBeforeTheLastItem) {
  Server server(4);
  server.push(3);
  server.builder.synchronize_device();
  server.push(1);
  EXPECT_EQ(explanation(server.builder.take()),
            "the program cannot continue:\n  thread 'cpu' of process 0 at call 4 (synchronize "
            "device) waits for stream 0\n"
            "  stream 0: kernel 'server' of call 0 has done 3 of 4 items and waits for 1 more from "
            "queue 0\n"
            "  queue 0 holds no item; thread 'cpu' of process 0 would push the next one in call 5\n"
            "  thread 'cpu' of process 0 at call 4 (synchronize device) waits for stream 0 (a "
            "cycle)\n");
}

// The second thread pushes the last item only when a kernel has ended that stands in the stream
// behind the persistent kernel.
TEST(Deadlock, OfAKernelBehindThePersistentOneInItsStream) {
  Server server(1);
  server.builder.launch(server.builder.kernel(program::spin_kernel(1, 32, 1_us)), 0);
  const std::uint32_t launched = server.builder.signal();
  server.builder.post(launched);
  server.builder.thread(0, "pusher");
  server.builder.await(launched, 1);
  server.builder.synchronize_stream(0);
  server.push(1);
  EXPECT_EQ(explanation(server.builder.take()),
            "the program cannot continue:\n  thread 'pusher' of process 0 at call 1 (synchronize "
            "stream) waits for stream 0\n"
            "  stream 0: kernel 'server' of call 0 has done 0 of 1 items and waits for 1 more from "
            "queue 0\n"
            "  queue 0 holds no item; thread 'pusher' of process 0 would push the next one in call "
            "2\n"
            "  thread 'pusher' of process 0 at call 1 (synchronize stream) waits for stream 0 (a "
            "cycle)\n");
}

// A kernel on another stream, whose end the pusher waits for, launched behind the server.
program::Program kernel_beside(Server server) {
  const std::uint32_t other = server.builder.stream();
  server.builder.work(50_us);  // so that the server is on the GPU first
  server.builder.launch(server.builder.kernel(program::spin_kernel(1, 1024, 1_us)), other);
  server.builder.synchronize_stream(other);
  server.push(1);
  server.builder.synchronize_device();
  return server.builder.take();
}

// 8 blocks of 1,024 threads fill the 4 SMs.
TEST(Deadlock, OfAKernelForWhichThePersistentOneLeavesNoRoom) {
  EXPECT_EQ(explanation(kernel_beside(Server(1, 8, 1024))),
            "the program cannot continue:\n  thread 'cpu' of process 0 at call 3 (synchronize "
            "stream) waits for stream 1\n"
            "  stream 1: kernel 'spin' of call 2 has 1 block not yet placed on an SM\n"
            "  stream 0: kernel 'server' of call 0 has done 0 of 1 items and waits for 1 more from "
            "queue 0\n"
            "  queue 0 holds no item; thread 'cpu' of process 0 would push the next one in call 4\n"
            "  thread 'cpu' of process 0 at call 3 (synchronize stream) waits for stream 1 (a "
            "cycle)\n");
  EXPECT_EQ(explanation(kernel_beside(Server(1, 7, 1024))), "it ended");
}

TEST(Deadlock, OfAKernelThatThePersistentOneKeepsFromBeingResident) {
  system::SystemSpec system = queue_system();
  system.gpu.front_end.max_resident_grids = 1;
  const std::string why = explanation(kernel_beside(Server(1)), system);
  EXPECT_NE(why.find("  stream 1: kernel 'spin' of call 2 waits for one of 1 resident grids to "
                     "end\n  stream 0: kernel 'server'"),
            std::string::npos)
      << why;
  EXPECT_NE(why.find("waits for stream 1 (a cycle)"), std::string::npos) << why;
}

// Two kernels of the persistent kernel's stream wait in the only connection, so that the kernel of
// the other stream never comes to its head.
TEST(Deadlock, OfAKernelBehindAnotherStreamInItsConnection) {
  system::SystemSpec system = queue_system();
  system.connections = 1;
  Server server(1);
  const std::uint32_t other = server.builder.stream();
  const std::uint32_t spin = server.builder.kernel(program::spin_kernel(1, 32, 1_us));
  server.builder.launch(spin, 0);
  server.builder.launch(spin, other);
  server.builder.synchronize_stream(other);
  server.push(1);
  const program::Program program = server.builder.take();
  EXPECT_EQ(explanation(program, system),
            "the program cannot continue:\n  thread 'cpu' of process 0 at call 3 (synchronize "
            "stream) waits for stream 1\n"
            "  stream 1: kernel 'spin' of call 2 is queued behind kernel 'spin' of call 1 of "
            "stream 0 in hardware connection 0\n"
            "  stream 0: kernel 'server' of call 0 has done 0 of 1 items and waits for 1 more from "
            "queue 0\n"
            "  queue 0 holds no item; thread 'cpu' of process 0 would push the next one in call 4\n"
            "  thread 'cpu' of process 0 at call 3 (synchronize stream) waits for stream 1 (a "
            "cycle)\n");
  system.connections = 8;
  EXPECT_EQ(explanation(program, system), "it ended");
}

TEST(Deadlock, OfAnEventBehindThePersistentKernel) {
  Server server(1);
  const std::uint32_t other = server.builder.stream();
  const std::uint32_t event = server.builder.event();
  server.builder.record(event, 0);
  server.builder.wait(event, other);
  server.builder.synchronize_stream(other);
  server.push(1);
  const std::string why = explanation(server.builder.take());
  EXPECT_NE(why.find("  stream 1: wait event of call 2 waits for event 0, to be recorded on stream "
                     "0\n  stream 0: kernel 'server'"),
            std::string::npos)
      << why;
  EXPECT_NE(why.find("(a cycle)"), std::string::npos) << why;
}

// The kernel ends with its second item; the third is pushed in vain.
TEST(Deadlock, OfMoreItemsThanTheKernelTakes) {
  Server server(2);
  server.push(3);
  server.builder.await_items(0, 3);
  EXPECT_EQ(explanation(server.builder.take()),
            "the program cannot continue:\n  thread 'cpu' of process 0 at call 4 (await items) "
            "waits for item 3 of queue 0, of "
            "which 2 are done\n"
            "  queue 0 holds 1 item that no block takes; nothing will launch its kernel\n");
}

TEST(Deadlock, OfItemsAwaitedBeforeTheirKernelIsLaunched) {
  program::ProgramBuilder builder;
  builder.stream();
  builder.thread(0, "cpu");
  const std::uint32_t queue = builder.queue();
  builder.push(queue, 1_us);
  builder.await_items(queue, 1);
  program::Kernel kernel = program::spin_kernel(1, 32, 0_us);
  kernel.work = program::PersistentWork{queue, 1};
  builder.launch(builder.kernel(kernel), 0);
  EXPECT_EQ(explanation(builder.take()),
            "the program cannot continue:\n  thread 'cpu' of process 0 at call 1 (await items) "
            "waits for item 1 of queue 0, of "
            "which 0 are done\n"
            "  queue 0 holds 1 item that no block takes; thread 'cpu' of process 0 would launch "
            "its kernel in call 2\n"
            "  thread 'cpu' of process 0 at call 1 (await items) waits for item 1 of queue 0, of "
            "which 0 are done (a cycle)\n");
}

// Two persistent kernels that each fill the GPU; the first is fed only after the second's item.
TEST(Deadlock, OfAPersistentKernelThatFindsNoRoom) {
  Server server(1, 8, 1024);
  const std::uint32_t other = server.builder.stream();
  server.builder.work(50_us);
  server.builder.launch(server.builder.kernel(server.kernel("second", 1, 8, 1024)), other);
  server.builder.push(1, 1_us);
  server.builder.await_items(1, 1);
  server.push(1);
  const std::string why = explanation(server.builder.take());
  EXPECT_NE(why.find("  queue 1 holds 1 item that no block takes\n"
                     "  stream 1: kernel 'second' of call 2 has 8 blocks not yet placed on an SM\n "
                     " stream 0: kernel 'server'"),
            std::string::npos)
      << why;
}

TEST(Deadlock, OfThreadsThatWaitForOneAnother) {
  program::ProgramBuilder builder;
  const std::uint32_t first = builder.signal();
  const std::uint32_t second = builder.signal();
  builder.thread(0, "a");
  builder.await(second, 1);
  builder.post(first);
  builder.thread(0, "b");
  builder.await(first, 1);
  builder.post(second);
  EXPECT_EQ(explanation(builder.take()),
            "the program cannot continue:\n  thread 'a' of process 0 at call 0 (await) waits for "
            "post 1 of signal 1, posted 0 "
            "times\n"
            "  signal 1: thread 'b' of process 0 would post it in call 1\n"
            "  thread 'b' of process 0 at call 0 (await) waits for post 1 of signal 0, posted 0 "
            "times\n"
            "  signal 0: thread 'a' of process 0 would post it in call 1\n"
            "  thread 'a' of process 0 at call 0 (await) waits for post 1 of signal 1, posted 0 "
            "times (a cycle)\n");
}

// Without MPS two processes that wait for ever would take turns for ever.
TEST(Deadlock, OfProcessesThatTakeTurns) {
  program::ProgramBuilder builder;
  for (std::uint32_t process = 0; process < 2; ++process) {
    program::Kernel kernel = program::spin_kernel(1, 32, 0_us);
    kernel.work = program::PersistentWork{builder.queue(), 1};
    builder.stream(0, process);
    builder.thread(process, "cpu");
    builder.launch(builder.kernel(kernel), process);
    builder.synchronize_device();
  }
  system::SystemSpec system = queue_system();
  system.gpu.time_slice.slice = 2_ms;
  const std::string why = explanation(builder.take(), system);
  EXPECT_NE(why.find("thread 'cpu' of process 0 at call 1"), std::string::npos) << why;
  EXPECT_NE(why.find(" waits for the time slice of its process"), std::string::npos) << why;
}

}  // namespace
}  // namespace septet::test
