#include "tools/septet/occupancy/occupancy_request.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "scenarios/config/hardware/profile.hpp"
#include "tools/septet/occupancy/kernel_choice.hpp"

namespace septet::command {
namespace {

constexpr const char* kCommand = "septet occupancy";
constexpr std::uint64_t kMost = 0xFFFFFFFF;

CommandHelp help() {
  return {
      "septet occupancy",
      "--block N --registers N [--shared SIZE] [options]\n"
      "       septet occupancy --block N --ptxas FILE [--kernel NAME] [options]",
      "Shows how many blocks of a kernel fit on an SM and which resource is the limit, like the\n"
      "CUDA occupancy calculator; how a grid fills the GPU; and what would have to change for\n"
      "one more block. The kernel's resources are given as options or read from the output of\n"
      "`nvcc --resource-usage` or `ptxas -v`.",
      "septet occupancy --gpu h200-sxm --block 256 --registers 40 --shared \"48 KiB\" "
      "--grid 10000\n"
      "  septet occupancy --block 256 --ptxas build.log --arch sm_90",
      {kExitOk, kExitFailure, kExitUsage, kExitInput}};
}

using Most = std::array<std::uint64_t, 3>;  // of x, y and z
constexpr Most kMostThreads = {1024, 1024, 64};
constexpr Most kMostBlocks = {0x7FFFFFFF, 65535, 65535};
constexpr Most kMostInCluster = {16, 16, 16};

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// At most `count` whole numbers from 1 with commas between them.
std::vector<std::uint32_t> read_list(const std::string& name, const std::string& text,
                                     std::size_t count) {
  std::vector<std::uint32_t> out;
  for (const std::string& word : split_at_commas(text)) {
    out.push_back(static_cast<std::uint32_t>(read_count(name, word, 1, kMost)));
  }
  if (out.size() <= count) return out;
  throw UsageError(fmt::format("--{}: got '{}', wanted at most {} numbers", name, text, count));
}

program::Dim3 read_dimensions(const std::string& name, const std::string& text, const Most& most) {
  std::vector<std::uint32_t> sides = read_list(name, text, most.size());
  sides.resize(most.size(), 1);
  for (std::size_t i = 0; i < most.size(); ++i) {
    if (sides[i] <= most[i]) continue;
    throw UsageError(fmt::format("--{}: got '{}', wanted at most {},{},{}", name, text, most[0],
                                 most[1], most[2]));
  }
  return {sides[0], sides[1], sides[2]};
}

Bytes read_size(const std::string& name, const std::string& text) {
  try {
    return parse_bytes(text);
  } catch (const UnitError& error) {
    throw UsageError(
        fmt::format("--{}: got {}, wanted {}", name, error.got(), error.wanted_with_suggestion()));
  }
}

LaunchBounds read_bounds(const std::string& text) {
  const auto numbers = read_list("launch-bounds", text, 2);
  return {numbers[0], numbers.size() > 1 ? numbers[1] : 1};
}

void add_size(Options& options, const std::string& name, const std::string& description,
              const std::function<void(Bytes)>& store) {
  options.value(name, "SIZE", description,
                [name, store](const std::string& text) { store(read_size(name, text)); });
}

void add_launch_options(Options& options, OccupancyRequest& request) {
  OccupancyQuestion& q = request.question;
  options.text("gpu", "NAME|FILE.toml", request.gpu, "profile of the GPU (default h200-sxm)");
  options.value("block", "X[,Y,Z]", "threads of a block", [&request](const std::string& text) {
    request.question.shape.block = read_dimensions("block", text, kMostThreads);
    request.block_given = true;
  });
  options.value("grid", "X[,Y,Z]", "blocks of the grid, for its waves",
                [&q](const std::string& text) {
                  q.shape.grid = read_dimensions("grid", text, kMostBlocks);
                  q.grid_given = true;
                });
  options.value("cluster", "X[,Y,Z]", "blocks of a thread block cluster",
                [&q](const std::string& text) {
                  q.shape.cluster = read_dimensions("cluster", text, kMostInCluster);
                });
  options.value("gpc-sms", "N,N,...",
                "SMs of each GPC of the GPU at hand, for exact cluster counts",
                [&q](const std::string& text) { q.gpc_sms = read_list("gpc-sms", text, 64); });
}

void add_kernel_options(Options& options, OccupancyRequest& request) {
  OccupancyQuestion& q = request.question;
  options.value("registers", "N", "registers per thread", [&request](const std::string& text) {
    request.question.shape.registers_per_thread =
        static_cast<std::uint32_t>(read_count("registers", text, 1, kMost));
    request.from_report.emplace_back("registers");
  });
  add_size(options, "shared", "static shared memory per block (default none)",
           [&request](Bytes size) {
             request.question.shape.static_shared = size;
             request.from_report.emplace_back("shared");
           });
  add_size(options, "dynamic-shared", "dynamic shared memory per block (default none)",
           [&q](Bytes size) { q.shape.dynamic_shared = size; });
  options.value(
      "barriers", "N", "barriers per block (default 1)", [&request](const std::string& t) {
        request.question.options.barriers =
            static_cast<std::uint32_t>(read_count("barriers", t, 0, gpu::kMaxBarriersPerBlock));
        request.from_report.emplace_back("barriers");
      });
  options.value("carveout", "auto|SIZE", "shared memory carve-out of an SM (default auto)",
                [&q](const std::string& text) {
                  if (text != "auto") q.options.carveout = read_size("carveout", text);
                });
  options.value("launch-bounds", "T[,B]", "show the register limit under __launch_bounds__(T, B)",
                [&q](const std::string& text) { q.bounds = read_bounds(text); });
}

void add_report_options(Options& options, OccupancyRequest& request) {
  options.text("ptxas", "FILE", request.ptxas_file, "output of ptxas -v or nvcc --resource-usage");
  options.text("kernel", "NAME", request.kernel, "only kernels of FILE whose name contains this");
  options.text("arch", "NAME", request.architecture,
               "only kernels compiled for this architecture, such as sm_90");
  options.common(request.common, {Common::kJson});
}

void check_without_report(const OccupancyRequest& request) {
  const auto& given = request.from_report;
  if (std::ranges::find(given, "registers") == given.end()) {
    throw UsageError("--registers or --ptxas is missing", kCommand);
  }
  if (!request.kernel.empty()) throw UsageError("--kernel needs --ptxas", kCommand);
  if (!request.architecture.empty()) throw UsageError("--arch needs --ptxas", kCommand);
}

void check_combination(const OccupancyRequest& request) {
  if (!request.block_given) throw UsageError("--block is missing", kCommand);
  if (request.ptxas_file.empty()) return check_without_report(request);
  if (request.from_report.empty()) return;
  throw UsageError(fmt::format("--{} and --ptxas are mutually exclusive: the report contains it",
                               request.from_report.front()),
                   kCommand);
}

void load_gpu(OccupancyRequest& request) {
  const config::ProfileLibrary library(config::data_directories());
  const config::Profile profile =
      library.find(config::ProfileKind::kGpu, request.gpu, Location{"--gpu"}, "hardware.gpu");
  request.question.gpu = gpu_spec(profile);
  request.question.gpu_name = profile.name;
}

// A launch that this GPU cannot run is an input error, at `where`.
OccupancyReport answer_one(const OccupancyQuestion& question, const Location& where) {
  try {
    return answer(question);
  } catch (const ModelError& error) {
    throw ConfigError(where, error.what());
  }
}

}  // namespace

bool read_occupancy_request(const std::vector<std::string>& arguments, OccupancyRequest& target) {
  Options options(help());
  add_launch_options(options, target);
  add_kernel_options(options, target);
  add_report_options(options, target);
  if (!options.parse(arguments)) return false;
  check_combination(target);
  load_gpu(target);
  return true;
}

OccupancyAnswer answer_request(const OccupancyRequest& request) {
  if (request.ptxas_file.empty()) return answer_one(request.question, {});
  const auto kernels = choose_kernels(request.ptxas_file, request.kernel, request.architecture);
  if (kernels.size() > 1) return answer_each(request.question, kernels);
  return answer_one(question_for(request.question, kernels.front()),
                    {request.ptxas_file, kernels.front().line});
}

}  // namespace septet::command
