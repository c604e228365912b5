#include "scenarios/explain/kernel_file.hpp"

#include <utility>

#include "models/gpu/occupancy/occupancy.hpp"
#include "scenarios/config/configuration.hpp"
#include "scenarios/config/hardware/hardware_fields.hpp"
#include "scenarios/config/program/program_draft.hpp"
#include "scenarios/config/program/scenario_fields.hpp"
#include "scenarios/config/reference.hpp"
#include "scenarios/config/toml/setting.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/explain/operator_explain.hpp"

namespace septet::explain {
namespace {

constexpr const char* kDefaultGpu = "h200-sxm";

struct KernelFileText {
  std::string description;
  config::HardwareText hardware;
  config::KernelText kernel;
  std::vector<config::SegmentText> segments;
  config::WrittenOperator op;
  gpu::GpuSpec gpu;
  host::HostSpec host;
};

const config::Fields<config::HardwareText>& hardware_fields() {
  using S = config::HardwareText;
  static const config::Fields<S> rows = {
      field("gpu", &S::gpu,
            "name, alias or .toml file of a GPU profile; default h200-sxm; overridden by --gpu"),
      field("host", &S::host,
            "name, alias or .toml file of a host profile; default: the GPU profile's own"),
  };
  return rows;
}

config::Fields<KernelFileText> with_hardware(config::Fields<KernelFileText> what) {
  using S = KernelFileText;
  config::Fields<S> out = {
      config::field("description", &S::description, "what the kernel or operator does"),
      section("hardware", &S::hardware, hardware_fields, "the hardware"),
  };
  out.insert(out.end(), what.begin(), what.end());
  out.push_back(config::section("gpu", &S::gpu, config::gpu_fields,
                                "values that override those of the GPU profile"));
  out.push_back(section("host", &S::host, config::host_fields,
                        "values that override those of the host profile"));
  return out;
}

const config::Fields<KernelFileText>& kernel_file_fields() {
  using S = KernelFileText;
  static const config::Fields<S> rows = with_hardware({
      config::required(
          section("kernel", &S::kernel, config::kernel_shape_fields, "how it is launched")),
      required(list("segment", &S::segments, config::segment_fields,
                    "what each warp does, one segment after the other")),
  });
  return rows;
}

const config::Fields<KernelFileText>& operator_file_fields() {
  using S = KernelFileText;
  static const config::Fields<S> rows = with_hardware({
      required(operator_field("operator", &S::op, read_asked_operator,
                              "an operator of a model, instead of kernel and segment")),
  });
  return rows;
}

config::ConfigValue choice(const std::string& gpu, const std::string& origin) {
  const Location where{origin};
  const config::ConfigValue name{gpu, where};
  const config::ConfigValue hardware{config::ConfigValue::Table{{"gpu", where, name}}, where};
  return {config::ConfigValue::Table{{"hardware", where, hardware}}, where};
}

// The file with --gpu laid over it, and the default beneath.
config::ConfigValue with_choice(const config::ConfigValue& file, const std::string& gpu) {
  config::ConfigValue out = choice(kDefaultGpu, "default GPU");
  out.where = file.where;
  lay_over(out, file);
  if (!gpu.empty()) lay_over(out, choice(gpu, "--gpu"));
  return out;
}

SegmentDescription segment_description(const config::SegmentText& text,
                                       const gpu::MemorySpec& memory) {
  SegmentDescription out;
  out.segment = segment_of(text, memory);
  out.barrier_cycles = text.barrier;
  out.active_lanes = text.active_lanes;
  for (std::size_t i = 0; i < text.memory.size(); ++i) {
    const config::AccessText& access = text.memory[i];
    out.accesses.push_back(
        {out.segment.batches[i], static_cast<double>(access.element.value_or(Bytes(0)).count()),
         access.dependent, static_cast<double>(access.working_set.value_or(Bytes(0)).count())});
  }
  out.segment.batches.clear();
  return out;
}

}  // namespace

KernelDescription describe_kernel(const config::KernelText& kernel,
                                  const std::vector<config::SegmentText>& segments,
                                  const gpu::GpuSpec& gpu) {
  KernelDescription out;
  out.name = kernel.name.text;
  out.shape = shape_of(kernel, gpu.sm);
  out.once_cycles = kernel.once;
  out.wave_cycles = kernel.wave;
  for (const config::SegmentText& segment : segments) {
    out.segments.push_back(segment_description(segment, gpu.kernel.memory));
  }
  if (out.segments.empty()) kernel.place.fail("", "no [[segment]]", "at least one");
  if (const auto reason = why_impossible(gpu.sm, out.shape)) {
    throw BlockDoesNotFit(kernel.place.where(), kernel.place.path + ": " + *reason);
  }
  return out;
}

ExplainQuestion read_kernel(const config::ConfigValue& file, const std::string& gpu,
                            const std::vector<std::string>& settings,
                            const config::ProfileLibrary& library) {
  const config::Configuration configuration = resolve(with_choice(file, gpu), settings, library);
  const auto tree = std::make_shared<const config::ConfigValue>(configuration.resolved);
  const bool op = tree->find("operator") != nullptr;
  KernelFileText text;
  const std::string root;
  read_fields({*tree, root}, op ? operator_file_fields() : kernel_file_fields(),
              config::Sources::kAllowed, text);
  text.gpu.name = configuration.gpu.name;
  ExplainQuestion out{text.gpu, text.host, {}, {}, tree};
  if (op) {
    out.op = text.op;
  } else {
    out.kernel = describe_kernel(text.kernel, text.segments, text.gpu);
  }
  return out;
}

ExplainQuestion read_kernel_file(const std::string& file, const std::string& gpu,
                                 const std::vector<std::string>& settings,
                                 const config::ProfileLibrary& library) {
  return read_kernel(config::read_toml_file(file), gpu, settings, library);
}

ExplainQuestion read_operator(const std::vector<std::string>& flags, const std::string& gpu,
                              const std::vector<std::string>& settings,
                              const config::ProfileLibrary& library) {
  config::ConfigValue file{config::ConfigValue::Table{}, Location{"--op"}};
  for (const std::string& flag : flags) {
    lay_over(file, config::read_setting("operator." + flag,
                                        "--" + flag_of(flag.substr(0, flag.find('=')))));
  }
  return read_kernel(file, gpu, settings, library);
}

Explanation explain(const ExplainQuestion& question) {
  if (question.op) return explain_operator(question.gpu, question.host, *question.op);
  return explain(question.gpu, question.host, question.kernel);
}

std::string kernel_file_reference() {
  return field_table("The file", kernel_file_fields()) +
         field_table("[hardware]", hardware_fields()) +
         config::field_table("[kernel]", config::kernel_shape_fields()) +
         field_table("[[segment]]", config::segment_fields()) +
         field_table("[segment.instructions] and [segment.register_conflicts]",
                     config::pipe_count_fields()) +
         field_table("[[segment.memory]]", config::access_fields()) +
         field_table("The file of an operator", operator_file_fields()) +
         field_table("[operator]", operator_keys(config::OperatorForm::kQuestion)) +
         operator_reference();
}

}  // namespace septet::explain
