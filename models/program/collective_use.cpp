#include "models/program/collective_use.hpp"

#include <fmt/format.h>

namespace septet::program {
namespace {

// What is not left to the tuner: " as ring by ll on 8 channels in 20 us".
std::string fixed_text(const Collective& collective) {
  std::string text;
  if (collective.algorithm != CollectiveAlgorithm::kAuto) {
    text += fmt::format(" as {}", text_of(collective.algorithm));
  }
  if (collective.protocol != CollectiveProtocol::kAuto) {
    text += fmt::format(" by {}", text_of(collective.protocol));
  }
  if (collective.channels > 0) text += fmt::format(" on {} channels", collective.channels);
  if (collective.recorded != kModelled) {
    text += fmt::format(" in {:.3f} us", to_us(collective.recorded));
  }
  return text;
}

}  // namespace

std::string collective_text(const Collective& collective) {
  std::string text = fmt::format("{} of {} B", text_of(collective.op), collective.bytes.count());
  if (!collective.data_type.empty()) text += fmt::format(" ({})", collective.data_type);
  if (collective.op == CollectiveOp::kSend) text += fmt::format(" to rank {}", collective.peer);
  if (collective.op == CollectiveOp::kReceive) {
    text += fmt::format(" from rank {}", collective.peer);
  }
  if (has_root(collective.op)) {
    text += fmt::format(" with root {}", collective.peer);
  }
  return text + fixed_text(collective);
}

std::string communicator_text(const Communicator& communicator, std::uint32_t index) {
  return communicator.name.empty() ? fmt::format("communicator {}", index)
                                   : fmt::format("communicator '{}'", communicator.name);
}

}  // namespace septet::program
