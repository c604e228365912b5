#include "tools/python/interruptible.hpp"

#include <chrono>

namespace septet::python {

namespace py = pybind11;

void wait_for(const std::future<void>& ready, Stop& stop) {
  constexpr std::chrono::milliseconds kBetweenLooks(50);
  const py::gil_scoped_release unlocked;
  while (ready.wait_for(kBetweenLooks) != std::future_status::ready) {
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) continue;
    py::error_already_set raised;
    stop.ask();
    {
      const py::gil_scoped_release waiting;
      ready.wait();
    }
    throw raised;
  }
}

}  // namespace septet::python
