#include "scenarios/config/hardware/hardware_fields.hpp"
#include "scenarios/config/hardware/hardware_rows.hpp"

namespace septet::config {

const Fields<network::FlagProtocolSpec>& flag_protocol_fields() {
  using S = network::FlagProtocolSpec;
  static const Fields<S> rows = {
      short_latency("start", &S::start, "start and end of the kernel"),
      short_latency("step", &S::step, "one hop of a ring"),
      size("covered", &S::covered, "bytes per step and channel covered by the latency", Bytes(0)),
      rate("channel", &S::channel, "rate of a channel beyond that"),
  };
  return rows;
}

const Fields<network::SimpleProtocolSpec>& simple_protocol_fields() {
  using S = network::SimpleProtocolSpec;
  static const Fields<S> rows = {
      short_latency("start", &S::start, "start and end of the kernel"),
      short_latency("step", &S::step, "one hop of a ring"),
      share("link_share", &S::link_share, "fraction of the link rate that rings reach"),
      rate("local", &S::local, "local copies and reductions in a GPU"),
      size("free_slice", &S::free_slice,
           "size of a channel's first slice up to which it costs nothing extra", Bytes(0)),
      size("full_slice", &S::full_slice,
           "largest part of it beyond that, which the next GPU waits for", Bytes(0)),
  };
  return rows;
}

const Fields<network::DirectSpec>& direct_fields() {
  using S = network::DirectSpec;
  static const Fields<S> rows = {
      short_latency("ll_start", &S::ll_start, "start and end of the kernel, small messages"),
      short_latency("ll_start_per_doubling", &S::ll_start_per_doubling,
                    "added for each doubling of the ranks"),
      rate("ll_channel", &S::ll_channel, "rate of the single channel of a small message"),
      size("ll_max", &S::ll_max, "largest size of a small message", Bytes(0)),
      short_latency("start", &S::start, "start and end of the kernel"),
      share("link_share", &S::link_share, "fraction of the link rate that is reached"),
  };
  return rows;
}

const Fields<network::NvlsSpec>& nvls_fields() {
  using S = network::NvlsSpec;
  static const Fields<S> rows = {
      short_latency("start", &S::start, "start and end of the kernel"),
      share("link_share", &S::link_share, "fraction of the link rate that is reached"),
      size("pipeline", &S::pipeline, "bytes in flight in its pipeline of copies and reductions",
           Bytes(0)),
      rate("pipeline_rate", &S::pipeline_rate, "rate at which the pipeline is filled and drained"),
  };
  return rows;
}

const Fields<network::TunerSpec>& tuner_fields() {
  using S = network::TunerSpec;
  static const Fields<S> rows = {
      rate("ring", &S::ring, "all rings together"),
      count("ring_channels", &S::ring_channels,
            "rings found by the search, before they are doubled", 1, 1024),
      rate("ll", &S::ll, "upper bound for LL"),
      rate("ll128_channel", &S::ll128_channel, "upper bound for LL128, per ring"),
      rate("tree_channel", &S::tree_channel, "upper bound for a tree"),
      rate("tree_ll128_channel", &S::tree_ll128_channel, "upper bound for a tree with LL128"),
      share("nvls_efficiency", &S::nvls_efficiency,
            "fraction of the link rate with in-switch reduction; 0: not supported"),
  };
  return rows;
}

const Fields<network::CollectiveSpec>& collective_fields() {
  using S = network::CollectiveSpec;
  static const Fields<S> rows = {
      rate("link", &S::link, "all links of one GPU together, per direction"),
      count("channels", &S::channels, "maximum blocks per kernel", 1, 1024),
      count("nvls_channels", &S::nvls_channels, "blocks of a kernel that reduces in the switch", 1,
            1024),
      short_latency("node_extra", &S::node_extra,
                    "extra start latency as a graph node, compared with other kernels"),
      rate("peer_copy", &S::peer_copy, "peer-to-peer copy by the copy engine"),
      required(section("ll", &S::ll, flag_protocol_fields, "protocol LL")),
      required(section("ll128", &S::ll128, flag_protocol_fields, "protocol LL128")),
      required(section("simple", &S::simple, simple_protocol_fields, "protocol Simple")),
      required(section("direct", &S::direct, direct_fields, "all-to-all")),
      required(section("nvls", &S::nvls, nvls_fields, "NVLink SHARP, reduction in the NVSwitch")),
      required(section("tuner", &S::tuner, tuner_fields,
                       "the GPU's entries in the tables of NCCL's tuner")),
  };
  return rows;
}

}  // namespace septet::config
