#include "models/network/collective/terms.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace septet {
namespace {

// In the order of the enumerations.
constexpr std::array<std::string_view, 8> kOps = {"all_reduce", "all_gather", "reduce_scatter",
                                                  "all_to_all", "broadcast",  "send_recv",
                                                  "send",       "recv"};
constexpr std::array<std::string_view, 7> kAlgorithms = {"auto",         "ring", "tree", "direct",
                                                         "hierarchical", "nvls", "sharp"};
constexpr std::array<std::string_view, 4> kProtocols = {"auto", "ll", "ll128", "simple"};

template <class Term, std::size_t N>
std::optional<Term> named(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Term>(found - names.begin());
}

}  // namespace

std::string_view name_of(CollectiveOp op) { return kOps.at(static_cast<std::size_t>(op)); }

std::string_view name_of(CollectiveAlgorithm algorithm) {
  return kAlgorithms.at(static_cast<std::size_t>(algorithm));
}

std::string_view name_of(CollectiveProtocol protocol) {
  return kProtocols.at(static_cast<std::size_t>(protocol));
}

std::optional<CollectiveOp> collective_op_named(std::string_view name) {
  return named<CollectiveOp>(kOps, name);
}

std::optional<CollectiveAlgorithm> collective_algorithm_named(std::string_view name) {
  return named<CollectiveAlgorithm>(kAlgorithms, name);
}

std::optional<CollectiveProtocol> collective_protocol_named(std::string_view name) {
  return named<CollectiveProtocol>(kProtocols, name);
}

}  // namespace septet
