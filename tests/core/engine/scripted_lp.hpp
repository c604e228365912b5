// An LP whose reactions a test writes down in place.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/engine/simulation.hpp"

namespace septet::testing_support {

class ScriptedLp : public engine::LogicalProcess {
 public:
  using Start = std::function<void(engine::Context&)>;
  using Handle = std::function<void(const engine::Event&, engine::Context&)>;
  using OutputTime = std::function<Instant()>;

  ScriptedLp(Start start, Handle handle, OutputTime output_time)
      : start_(std::move(start)),
        handle_(std::move(handle)),
        output_time_(std::move(output_time)) {}

  void start(engine::Context& context) override {
    if (start_) start_(context);
  }
  void handle(const engine::Event& event, engine::Context& context) override {
    if (handle_) handle_(event, context);
  }
  bool has_dynamic_lookahead() const override { return static_cast<bool>(output_time_); }
  Instant earliest_output_time(Instant next) const override {
    return output_time_ ? output_time_() : next;
  }

 private:
  Start start_;
  Handle handle_;
  OutputTime output_time_;
};

inline std::unique_ptr<engine::LogicalProcess> scripted(ScriptedLp::Start start,
                                                        ScriptedLp::Handle handle = {},
                                                        ScriptedLp::OutputTime output_time = {}) {
  return std::make_unique<ScriptedLp>(std::move(start), std::move(handle), std::move(output_time));
}

}  // namespace septet::testing_support
