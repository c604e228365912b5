#include "scenarios/whatif/submission_order.hpp"

#include <algorithm>
#include <map>

#include "scenarios/whatif/call_times.hpp"
#include "scenarios/whatif/submission.hpp"

namespace septet::whatif {
namespace {

// A point in a thread: before call `index` begins, or after it.
struct Point {
  std::uint32_t thread = kNone;
  std::uint64_t index = 0;
  bool after = false;

  std::uint64_t position() const { return 2 * index + (after ? 1 : 0); }
};

// Who touched a stream or an event last: one thread writes (submits, records), others read (wait).
struct Touched {
  Point writer;
  std::vector<Point> readers;  // since the writer
};

// The hand-offs of one thread, by call.
struct ThreadMarks {
  std::multimap<std::uint64_t, std::uint32_t> awaits, posts_before, posts_after;  // -> signal
};

class Orderer {
 public:
  explicit Orderer(program::Program& program)
      : program_(program),
        streams_(program.streams.size()),
        events_(program.events),
        marks_(program.threads.size()),
        known_(program.threads.size(), std::vector<std::uint64_t>(program.threads.size(), 0)) {}

  void touch(std::uint32_t thread, std::uint64_t index) {
    const program::Call& call = program_.threads[thread].calls[index];
    const Point reader{thread, index, false};
    const Point writer{thread, index, true};
    if (submits(call.kind())) write(streams_[call.stream], writer);
    switch (call.kind()) {
      case program::CallKind::kRecordEvent:
        return write(events_[event_in(call)], writer);
      case program::CallKind::kWaitEvent:
      case program::CallKind::kSynchronizeEvent:
        return read(events_[event_in(call)], reader);
      case program::CallKind::kSynchronizeStream:
        return read(streams_[call.stream], reader);
      case program::CallKind::kSynchronizeDevice:
        for (std::size_t s = 0; s < streams_.size(); ++s) {
          const program::Stream& stream = program_.streams[s];
          const bool ours = stream.process == program_.threads[thread].process;
          if (ours && stream.device == program::as<program::SynchronizeDevice>(call).device)
            read(streams_[s], reader);
        }
        return;
      default:
        return;
    }
  }

  void write_hand_offs() {
    for (std::size_t t = 0; t < marks_.size(); ++t) {
      rewrite(program_.threads[t].calls, marks_[t]);
    }
  }

 private:
  void write(Touched& object, const Point& writer) {
    order(object.writer, writer);
    for (const Point& reader : object.readers) order(reader, writer);
    object.readers.clear();
    object.writer = writer;
  }

  void read(Touched& object, const Point& reader) {
    order(object.writer, reader);
    object.readers.push_back(reader);
  }

  // `to` comes after `from`, if nothing says so yet.
  void order(const Point& from, const Point& to) {
    if (from.thread == kNone || from.thread == to.thread) return;
    std::uint64_t& known = known_[to.thread][from.thread];
    if (from.position() < known) return;
    known = from.position() + 1;
    const std::uint32_t signal = program_.signals++;
    ThreadMarks& source = marks_[from.thread];
    (from.after ? source.posts_after : source.posts_before).emplace(from.index, signal);
    marks_[to.thread].awaits.emplace(to.index, signal);
  }

  template <class HandOff>
  static void append(std::vector<program::Call>& calls,
                     const std::multimap<std::uint64_t, std::uint32_t>& marks,
                     std::uint64_t index) {
    const auto [begin, end] = marks.equal_range(index);
    for (auto mark = begin; mark != end; ++mark) {
      calls.push_back({.what = HandOff{mark->second}, .cost = Duration(0)});
    }
  }

  static void rewrite(std::vector<program::Call>& calls, const ThreadMarks& marks) {
    std::vector<program::Call> out;
    for (std::uint64_t c = 0; c < calls.size(); ++c) {
      append<program::Await>(out, marks.awaits, c);
      append<program::Post>(out, marks.posts_before, c);
      out.push_back(calls[c]);
      if (!marks.posts_after.contains(c)) continue;
      // Others continue when a blocking copy has been submitted, not when it has completed.
      const bool blocking = is_blocking(out.back());
      if (blocking) program::as<program::Copy>(out.back()).blocking = false;
      append<program::Post>(out, marks.posts_after, c);
      if (!blocking) continue;
      out.push_back(
          {.what = program::SynchronizeStream{}, .stream = calls[c].stream, .cost = Duration(0)});
    }
    calls = std::move(out);
  }

  program::Program& program_;
  std::vector<Touched> streams_, events_;
  std::vector<ThreadMarks> marks_;
  std::vector<std::vector<std::uint64_t>> known_;  // [thread][other]: positions of the other below
};

// When each call had submitted what it submits, or looked at what was submitted.
std::vector<TimedCall> calls_as_submitted(const program::Program& program,
                                          const analysis::RunRows& base) {
  const std::vector<std::vector<CallTime>> times = call_times(program, base);
  std::vector<TimedCall> calls;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    Instant last;
    for (std::size_t c = 0; c < times[t].size(); ++c) {
      const program::Call& call = program.threads[t].calls[c];
      const CallTime& time = times[t][c];
      const Instant blocking = time.start + std::max(call.cost, Duration(0));
      const Instant submitted = is_blocking(call) ? blocking : time.end;
      last = std::max(last, submits(call.kind()) ? submitted : time.start);
      calls.push_back({last, t, c});
    }
  }
  std::stable_sort(calls.begin(), calls.end(),
                   [](const TimedCall& a, const TimedCall& b) { return a.start < b.start; });
  return calls;
}

}  // namespace

void keep_submission_order(program::Program& program, const analysis::RunRows& base) {
  Orderer orderer(program);
  for (const TimedCall& call : calls_as_submitted(program, base)) {
    orderer.touch(call.thread, call.index);
  }
  orderer.write_hand_offs();
}

}  // namespace septet::whatif
