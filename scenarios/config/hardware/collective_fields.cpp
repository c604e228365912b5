#include "scenarios/config/hardware/hardware_fields.hpp"
#include "scenarios/config/hardware/hardware_rows.hpp"

namespace septet::config {

const Fields<network::FlagProtocolSpec>& flag_protocol_fields() {
  using S = network::FlagProtocolSpec;
  static const Fields<S> rows = {
      short_latency("start", &S::start, "start and end of the kernel"),
      short_latency("step", &S::step, "one hop of a ring"),
      size("covered", &S::covered, "bytes of a step and channel that its latency covers", Bytes(0)),
      rate("channel", &S::channel, "a channel's rate beyond"),
  };
  return rows;
}

const Fields<network::SimpleProtocolSpec>& simple_protocol_fields() {
  using S = network::SimpleProtocolSpec;
  static const Fields<S> rows = {
      short_latency("start", &S::start, "start and end of the kernel"),
      short_latency("step", &S::step, "one hop of a ring"),
      share("link_share", &S::link_share, "share of the links' rate that rings reach"),
      rate("local", &S::local, "copies and sums inside a GPU"),
      size("free_slice", &S::free_slice, "first slice of a channel that costs nothing extra",
           Bytes(0)),
      size("full_slice", &S::full_slice, "the most of it beyond, that the next GPU waits for",
           Bytes(0)),
  };
  return rows;
}

const Fields<network::DirectSpec>& direct_fields() {
  using S = network::DirectSpec;
  static const Fields<S> rows = {
      short_latency("ll_start", &S::ll_start, "start and end of the kernel, small messages"),
      short_latency("ll_start_per_doubling", &S::ll_start_per_doubling,
                    "more for each doubling of the ranks"),
      rate("ll_channel", &S::ll_channel, "of the one channel of a small message"),
      size("ll_max", &S::ll_max, "messages up to this size are small", Bytes(0)),
      short_latency("start", &S::start, "start and end of the kernel"),
      share("link_share", &S::link_share, "share of the links' rate that is reached"),
  };
  return rows;
}

const Fields<network::NvlsSpec>& nvls_fields() {
  using S = network::NvlsSpec;
  static const Fields<S> rows = {
      short_latency("start", &S::start, "start and end of the kernel"),
      share("link_share", &S::link_share, "share of the links' rate that is reached"),
      size("pipeline", &S::pipeline, "bytes that its pipeline of copies and sums holds", Bytes(0)),
      rate("pipeline_rate", &S::pipeline_rate, "at which the pipeline is filled and emptied"),
  };
  return rows;
}

const Fields<network::TunerSpec>& tuner_fields() {
  using S = network::TunerSpec;
  static const Fields<S> rows = {
      rate("ring", &S::ring, "all rings together"),
      count("ring_channels", &S::ring_channels, "rings found, before they are doubled", 1, 1024),
      rate("ll", &S::ll, "the most of LL"),
      rate("ll128_channel", &S::ll128_channel, "the most of LL128, a ring"),
      rate("tree_channel", &S::tree_channel, "the most of a tree"),
      rate("tree_ll128_channel", &S::tree_ll128_channel, "the most of a tree with LL128"),
      share("nvls_efficiency", &S::nvls_efficiency,
            "share of the links' rate with reduction in the switch; 0: the GPU has none"),
  };
  return rows;
}

const Fields<network::CollectiveSpec>& collective_fields() {
  using S = network::CollectiveSpec;
  static const Fields<S> rows = {
      rate("link", &S::link, "all links of one GPU together, in one direction"),
      count("channels", &S::channels, "blocks of a kernel, at most", 1, 1024),
      count("nvls_channels", &S::nvls_channels, "blocks of one that reduces in the switch", 1,
            1024),
      short_latency("node_extra", &S::node_extra,
                    "as node of a graph it starts later than other kernels by this"),
      rate("peer_copy", &S::peer_copy, "one GPU's memory to another's by the copy engine"),
      required(section("ll", &S::ll, flag_protocol_fields, "protocol LL")),
      required(section("ll128", &S::ll128, flag_protocol_fields, "protocol LL128")),
      required(section("simple", &S::simple, simple_protocol_fields, "protocol Simple")),
      required(section("direct", &S::direct, direct_fields, "all-to-all")),
      required(section("nvls", &S::nvls, nvls_fields, "reduction in the NVSwitch")),
      required(section("tuner", &S::tuner, tuner_fields,
                       "what NCCL's tuner believes of the GPU, from its own tables")),
  };
  return rows;
}

}  // namespace septet::config
