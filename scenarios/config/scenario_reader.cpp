#include "scenarios/config/scenario_reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/gpu/operators/timed_lists.hpp"
#include "models/workload/training/training_program.hpp"
#include "scenarios/config/program/program_draft.hpp"
#include "scenarios/config/program/scenario_fields.hpp"
#include "scenarios/config/toml/toml_reader.hpp"

namespace septet::config {
namespace {

ScenarioText read_text(const Configuration& configuration) {
  ScenarioText text;
  const std::string root;
  read_fields({configuration.resolved, root}, scenario_fields(), Sources::kAllowed, text);
  text.gpu.name = configuration.gpu.name;
  text.gpu.aliases = configuration.gpu.aliases;
  text.host.name = configuration.host.name;
  return text;
}

std::vector<std::string> warnings_of(const Configuration& configuration) {
  std::vector<std::string> out = profile_warnings(configuration.gpu);
  for (std::string& warning : profile_warnings(configuration.host)) {
    out.push_back(std::move(warning));
  }
  for (const OtherProfiles& other : configuration.others) {
    for (const Profile* profile : {&other.gpu, &other.host}) {
      for (std::string& warning : profile_warnings(*profile)) {
        if (std::find(out.begin(), out.end(), warning) == out.end()) out.push_back(warning);
      }
    }
  }
  return out;
}

// Values that were written, but change nothing.
void warn_of_unused(const ScenarioText& text, Hardware& hardware) {
  const ConfigValue* interconnect = text.place.table->find("interconnect");
  const auto knows_links = [](const gpu::GpuSpec& gpu) { return gpu.collective.link.count() > 0; };
  const bool links_known =
      knows_links(hardware.gpu) &&
      std::ranges::all_of(hardware.others, [&](const auto& o) { return knows_links(o.gpu); });
  if (interconnect != nullptr && interconnect->find("link") != nullptr && links_known) {
    hardware.warnings.push_back(
        fmt::format("interconnect.link: not used, since {} has its own links: gpu.collective.link",
                    hardware.gpu.name));
  }
  if (text.place.has("training") && text.training.sequence_parallel &&
      text.training.tensor_parallel_size == 1) {
    hardware.warnings.emplace_back(
        "training.sequence_parallel: not used, since training.tensor_parallel_size is 1");
  }
}

// The GPUs must exist, be of one kind each, and support the requested connections.
void check_others(const HardwareText& hardware, const std::vector<host::OtherGpus>& others) {
  for (std::size_t i = 0; i < others.size(); ++i) {
    const host::OtherGpus& other = others[i];
    const Place& place = hardware.others[i].place;
    const std::uint64_t end = std::uint64_t{other.first} + other.count;
    if (end > hardware.gpus) {
      place.fail("count", fmt::format("GPUs {} to {}", other.first, end - 1),
                 fmt::format("GPUs below hardware.gpus, {}", hardware.gpus));
    }
    for (std::size_t j = 0; j < i; ++j) {
      const bool apart =
          others[j].first >= end || other.first >= std::uint64_t{others[j].first} + others[j].count;
      if (!apart) {
        place.fail("first", fmt::format("GPU {}", std::max(other.first, others[j].first)),
                   fmt::format("GPUs that hardware.other.{} does not name", j));
      }
    }
    const std::uint32_t most = other.gpu.front_end.max_connections;
    if (other.connections > most) {
      place.fail("gpu", fmt::format("{}, with at most {} connections", other.gpu.name, most),
                 fmt::format("hardware.connections, {}", other.connections));
    }
  }
}

std::vector<host::OtherGpus> others_of(const ScenarioText& text,
                                       const Configuration& configuration) {
  std::vector<host::OtherGpus> out;
  for (std::size_t i = 0; i < configuration.others.size(); ++i) {
    const OtherGpusText& other = text.hardware.others[i];
    const OtherProfiles& profiles = configuration.others[i];
    out.push_back({other.first, other.count, text.hardware.connections.value_or(0),
                   gpu_spec(profiles.gpu), host_spec(profiles.host), other.place.where()});
  }
  check_others(text.hardware, out);
  return out;
}

Hardware hardware_of(const ScenarioText& text, const Configuration& configuration) {
  const gpu::FrontEndSpec& front_end = text.gpu.front_end;
  const std::uint32_t connections =
      text.hardware.connections.value_or(front_end.default_connections);
  if (connections > front_end.max_connections) {
    text.hardware.place.fail("connections", std::to_string(connections),
                             fmt::format("at most {} on this GPU", front_end.max_connections));
  }
  if (text.place.has("network") && text.place.has("interconnect")) {
    text.place.fail("interconnect", "a table together with [network]", "one of the two");
  }
  Hardware out{text.gpu,
               text.host,
               text.hardware.gpus,
               connections,
               text.hardware.mps,
               sm_shares_of(text),
               text.network,
               text.hardware.traced_gpus,
               text.hardware.recorded_share};
  if (text.topology != nullptr) out.topology = *text.topology;
  out.others = others_of(text, configuration);
  out.warnings = warnings_of(configuration);
  warn_of_unused(text, out);
  return out;
}

// A training step is the whole program.
program::Program training_of(const ScenarioText& text, const Hardware& hardware) {
  const ConfigValue& table = *text.place.table->find("training");
  for (const char* key :
       {"process", "green_context", "communicator", "stream", "kernel", "graph", "thread"}) {
    if (text.place.has(key))
      text.place.fail(key, "a table together with [training]", "one of the two");
  }
  program::Program program;
  try {
    program = training_program(text.training);
    time_operators(program, gpus_by_device(hardware.gpu, hardware.others),
                   slowness_of(text.training));
  } catch (const ConfigError& error) {
    throw ConfigError(table.where, error.what());
  }
  if (text.hardware.gpus != program.devices) {
    text.hardware.place.fail(
        "gpus", std::to_string(text.hardware.gpus),
        fmt::format(
            "tensor_parallel_size * pipeline_parallel_size * data_parallel_size of [training], {}",
            program.devices));
  }
  return program;
}

program::Program program_of(const ScenarioText& text, const Hardware& hardware) {
  if (text.place.has("training")) return training_of(text, hardware);
  ProgramDraft draft;
  draft.max_graph_nodes = text.run.max_graph_nodes;
  draft.build.devices(text.hardware.gpus);
  read_contexts(text, draft);
  read_communicators(text, draft);
  read_streams(text, draft);
  read_kernels(text, draft);
  read_graphs(text, draft);
  read_threads(text, draft);
  check_processes(text, draft.program());
  check(draft.program());
  return draft.build.take();
}

WhatIf what_if_of(const WhatIfText& text) {
  const ConfigValue& table = *text.place.table;
  const ConfigValue* set = table.find("set");
  const ConfigValue* change = table.find("change");
  if (set == nullptr && change == nullptr) {
    text.place.fail("set", "neither `set` nor `change`", "one or both of them");
  }
  return {text.name.text, text.description,
          set != nullptr ? *set : ConfigValue{ConfigValue::Table{}, table.where}, text.change,
          change != nullptr ? change->where : table.where};
}

std::vector<WhatIf> what_ifs_of(const ScenarioText& text) {
  std::vector<WhatIf> out;
  NameTable names("a what-if");
  for (const WhatIfText& what_if : text.what_ifs) {
    names.add(what_if.name, what_if.place.path, {});
    out.push_back(what_if_of(what_if));
  }
  return out;
}

}  // namespace

Scenario read_scenario(const Configuration& configuration) {
  const ScenarioText text = read_text(configuration);
  const std::filesystem::path file = configuration.file.where.file;
  Hardware hardware = hardware_of(text, configuration);
  program::Program program = program_of(text, hardware);
  return {text.name.value_or(file.stem().string()),
          text.description,
          std::move(hardware),
          text.run,
          std::move(program),
          what_ifs_of(text),
          text.place.has("training") ? std::optional(text.training) : std::nullopt};
}

Hardware read_hardware(const Configuration& configuration) {
  return hardware_of(read_text(configuration), configuration);
}

TrainingCase read_training(const Configuration& configuration) {
  const ScenarioText text = read_text(configuration);
  if (!text.place.has("training")) {
    throw ConfigError(configuration.file.where, "no table [training]");
  }
  const std::filesystem::path file = configuration.file.where.file;
  return {text.name.value_or(file.stem().string()),
          text.description,
          hardware_of(text, configuration),
          text.training,
          text.plan != nullptr ? std::optional(*text.plan) : std::nullopt,
          text.goodput != nullptr ? std::optional(*text.goodput) : std::nullopt,
          text.run.seed,
          text.place.table->find("training")->where};
}

Scenario load_scenario(const std::filesystem::path& file, const std::vector<std::string>& settings,
                       const ProfileLibrary& library) {
  return read_scenario(resolve(read_toml_file(file), settings, library));
}

std::vector<Scenario> read_variations(const Configuration& base,
                                      const std::vector<WhatIf>& what_ifs,
                                      const ProfileLibrary& library) {
  std::vector<Scenario> out;
  for (const WhatIf& what_if : what_ifs) {
    out.push_back(read_scenario(vary(base, what_if, library)));
  }
  return out;
}

}  // namespace septet::config
