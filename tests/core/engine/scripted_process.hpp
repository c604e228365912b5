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

  ScriptedProcess(Start start, Handle handle)
      : start_(std::move(start)), handle_(std::move(handle)) {}

  void start(Context& context) override {
    if (start_) start_(context);
  }
  void handle(const Event& event, Context& context) override {
    if (handle_) handle_(event, context);
  }

 private:
  Start start_;
  Handle handle_;
};

inline std::unique_ptr<LogicalProcess> scripted(ScriptedProcess::Start start,
                                                ScriptedProcess::Handle handle = {}) {
  return std::make_unique<ScriptedProcess>(std::move(start), std::move(handle));
}

}  // namespace septet::testing_support
