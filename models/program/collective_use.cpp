#include "models/program/collective_use.hpp"

#include <fmt/format.h>

#include "models/network/collective/terms.hpp"

namespace septet {

std::string text_of(const Collective& collective) {
  std::string text = fmt::format("{} of {} B", name_of(collective.op), collective.bytes.count());
  if (!collective.data_type.empty()) text += fmt::format(" ({})", collective.data_type);
  if (collective.op == CollectiveOp::kSend) text += fmt::format(" to rank {}", collective.peer);
  if (collective.op == CollectiveOp::kReceive) {
    text += fmt::format(" from rank {}", collective.peer);
  }
  if (collective.op == CollectiveOp::kBroadcast) {
    text += fmt::format(" with root {}", collective.peer);
  }
  return text;
}

std::string communicator_text(const Communicator& communicator, std::uint32_t index) {
  return communicator.name.empty() ? fmt::format("communicator {}", index)
                                   : fmt::format("communicator '{}'", communicator.name);
}

}  // namespace septet
