// A process whose reactions a test writes down in place.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/engine/simulation.hpp"

namespace septet::testing_support {

class ScriptedProcess : public LogicalProcess {
 public:
  using Start = std::function<void(Context&)>;
  using Handle = std::function<void(const Event&, Context&)>;
  using Foresee = std::function<Instant()>;

  ScriptedProcess(Start start, Handle handle, Foresee foresee)
      : start_(std::move(start)), handle_(std::move(handle)), foresee_(std::move(foresee)) {}

  void start(Context& context) override {
    if (start_) start_(context);
  }
  void handle(const Event& event, Context& context) override {
    if (handle_) handle_(event, context);
  }
  bool foresees() const override { return static_cast<bool>(foresee_); }
  Instant silent_until(Instant next) const override { return foresee_ ? foresee_() : next; }

 private:
  Start start_;
  Handle handle_;
  Foresee foresee_;
};

inline std::unique_ptr<LogicalProcess> scripted(ScriptedProcess::Start start,
                                                ScriptedProcess::Handle handle = {},
                                                ScriptedProcess::Foresee foresee = {}) {
  return std::make_unique<ScriptedProcess>(std::move(start), std::move(handle), std::move(foresee));
}

}  // namespace septet::testing_support
