// What real recordings hold, counted with Python's json and decimal modules, apart from the reader.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace septet::test {

// Times in picoseconds.
struct ExpectedRecording {
  std::string file;
  std::uint64_t entries;
  std::array<std::uint64_t, 8> counts;  // by RecordedKind
  std::size_t streams;                  // with GPU work
  std::int64_t span;
  std::int64_t origin_ns;
  std::uint64_t zero_kernels;  // of duration 0
  std::int64_t kernel_time;    // summed
  std::uint64_t blocks;        // of all kernels
  std::int64_t rank;
  std::int64_t world_size;
};

// clang-format off
inline const std::vector<ExpectedRecording> kInputRecordings = {
    {"hta-amd__mi250_minitoy_train_ROCm6_2_kineto.json.gz", 220,
     {70, 3, 21, 14, 2, 0, 0, 0}, 1,
     9583086000, 1739836029603187439, 0, 110881000, 0, -1, 0},
    {"hta-cpu_only__rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", 30,
     {4, 11, 0, 0, 0, 0, 0, 0}, 0,
     1283027080000, 1721065959529876817, 0, 0, 0, 34, 300},
    {"hta-critical_path__alexnettrace.json.gz", 1408,
     {359, 8, 361, 79, 16, 3, 41, 0}, 2,
     43425365000000, 1695835542514261000, 0, 10692000000, 971288, 0, 0},
    {"hta-critical_path__cuda_event_sync.json.gz", 92,
     {10, 1, 12, 4, 1, 0, 4, 0}, 1,
     3154000000, 1707417525509335000, 0, 49000000, 131, 0, 0},
    {"hta-critical_path__cuda_event_sync_multi_stream.json.gz", 149,
     {6, 0, 39, 3, 0, 3, 5, 0}, 3,
     19930000000, 1712867402348256000, 0, 369000000, 1920, 0, 0},
    {"hta-nccl_parser_config__nccl_data.json.gz", 40573,
     {14346, 42, 8740, 2700, 960, 114, 0, 0}, 2,
     684372939000, 1716423322416788066, 0, 162532340000, 10759719, 0, 2},
    {"hta-trace_file_list__inference_rank_1.json.gz", 54,
     {0, 0, 8, 4, 0, 0, 0, 0}, 1,
     1641000000, 1665536373729065000, 0, 30000000, 1184, 1, 0},
    {"hta-trace_filter__sampled_rank-0.json.gz", 4855,
     {2329, 73, 1204, 1154, 40, 10, 0, 0}, 5,
     1230289000000, 1682725898079292000, 0, 606519000000, 9382584, 0, 128},
    {"hta-trace_filter__sampled_rank-1.json.gz", 4720,
     {2302, 65, 1154, 1104, 40, 10, 0, 0}, 5,
     1238593000000, 1682725898079484000, 0, 651026000000, 9392537, 1, 128},
    {"hta-triton_example.json.gz", 71,
     {3, 1, 2, 1, 0, 0, 0, 0}, 1,
     13336315805000, 1730156791096090100, 0, 1760000, 1, -1, 0},
    {"kineto-2021-resnet50-v100.json.gz", 75718,
     {23646, 0, 11923, 8772, 12, 312, 0, 0}, 1,
     1065658000000, 1623142623460072000, 636, 591532000000, 32448882, -1, 0},
    {"tracelens-h100-bert-small.json.gz", 2551,
     {479, 1, 132, 60, 1, 0, 0, 0}, 1,
     4483625000, 1752830083332972313, 0, 307197000, 9079, -1, 0},
    {"tracelens-h100-qwen1.5-0.5b.json.gz", 18221,
     {4186, 1, 1922, 1465, 1, 241, 0, 0}, 1,
     49657374000, 1752839461731622250, 0, 45432698000, 19069436, -1, 0},
};

inline const std::vector<ExpectedRecording> kMeasuredRecordings = {
    {"gpt2-batch1-seq1-eager.json.gz", 6087,
     {3093, 0, 767, 693, 6, 0, 0, 1}, 1,
     29082695000, 1795963814218964092, 0, 1662404000, 25548, -1, 0},
    {"gpt2-batch1-seq1-graph.json.gz", 1896,
     {0, 0, 8, 873, 36, 0, 0, 1}, 1,
     6513751000, 1795963814604444193, 0, 1897081000, 25728, -1, 0},
    {"llama-8b-fp8-decode-batch16-q1-ctx1024-graph.json.gz", 5484,
     {0, 0, 8, 2700, 0, 3, 0, 1}, 1,
     18156785000, 1795967606734767892, 0, 14351386000, 366540, -1, 0},
    {"mlp-train-batch64-graph.json.gz", 1232,
     {0, 0, 8, 567, 3, 0, 0, 1}, 1,
     3420170000, 1795963903659175485, 0, 2041528000, 245634, -1, 0},
    {"resnet50x2-batch16-eager-streams.json.gz", 14212,
     {4890, 0, 2918, 1692, 0, 18, 0, 1}, 2,
     46900501000, 1795963887350370517, 0, 8358999000, 1570344, -1, 0},
    {"resnet50x2-batch16-graph-streams.json.gz", 3514,
     {0, 0, 14, 1692, 0, 18, 0, 1}, 2,
     10376844000, 1795963887654026795, 0, 12141059000, 1570344, -1, 0},
};
// clang-format on

}  // namespace septet::test
