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

namespace septet {
namespace {

constexpr const char* kDefaultGpu = "h200-sxm";

struct KernelFileText {
  std::string description;
  HardwareText hardware;
  KernelText kernel;
  std::vector<SegmentText> segments;
  WrittenOperator op;
  GpuSpec gpu;
  HostSpec host;
};

const Fields<HardwareText>& hardware_fields() {
  using S = HardwareText;
  static const Fields<S> rows = {
      field("gpu", &S::gpu,
            "name, alias or .toml file of a GPU profile; default h200-sxm; --gpu goes first"),
      field("host", &S::host,
            "name, alias or .toml file of a host profile; default: the GPU profile's own"),
  };
  return rows;
}

Fields<KernelFileText> with_hardware(Fields<KernelFileText> what) {
  using S = KernelFileText;
  Fields<S> out = {
      field("description", &S::description, "what the kernel or operator does"),
      section("hardware", &S::hardware, hardware_fields, "what it runs on"),
  };
  out.insert(out.end(), what.begin(), what.end());
  out.push_back(
      section("gpu", &S::gpu, gpu_fields, "numbers that replace those of the GPU profile"));
  out.push_back(
      section("host", &S::host, host_fields, "numbers that replace those of the host profile"));
  return out;
}

const Fields<KernelFileText>& kernel_file_fields() {
  using S = KernelFileText;
  static const Fields<S> rows = with_hardware({
      required(section("kernel", &S::kernel, kernel_shape_fields, "how it is launched")),
      required(list("segment", &S::segments, segment_fields,
                    "what each warp does, one segment after the other")),
  });
  return rows;
}

const Fields<KernelFileText>& operator_file_fields() {
  using S = KernelFileText;
  static const Fields<S> rows = with_hardware({
      required(operator_field("operator", &S::op, read_asked_operator,
                              "an operator of a model, instead of kernel and segment")),
  });
  return rows;
}

ConfigValue choice(const std::string& gpu, const std::string& origin) {
  const Location where{origin};
  const ConfigValue name{gpu, where};
  const ConfigValue hardware{ConfigValue::Table{{"gpu", where, name}}, where};
  return {ConfigValue::Table{{"hardware", where, hardware}}, where};
}

// The file with --gpu laid over it, and the default beneath.
ConfigValue with_choice(const ConfigValue& file, const std::string& gpu) {
  ConfigValue out = choice(kDefaultGpu, "default GPU");
  out.where = file.where;
  lay_over(out, file);
  if (!gpu.empty()) lay_over(out, choice(gpu, "--gpu"));
  return out;
}

SegmentDescription segment_description(const SegmentText& text, const MemorySpec& memory) {
  SegmentDescription out;
  out.segment = segment_of(text, memory);
  out.barrier_cycles = text.barrier;
  out.active_lanes = text.active_lanes;
  for (std::size_t i = 0; i < text.memory.size(); ++i) {
    const AccessText& access = text.memory[i];
    out.accesses.push_back(
        {out.segment.batches[i], static_cast<double>(access.element.value_or(Bytes(0)).count()),
         access.dependent, static_cast<double>(access.working_set.value_or(Bytes(0)).count())});
  }
  out.segment.batches.clear();
  return out;
}

}  // namespace

KernelDescription describe_kernel(const KernelText& kernel,
                                  const std::vector<SegmentText>& segments, const GpuSpec& gpu) {
  KernelDescription out;
  out.name = kernel.name.text;
  out.shape = shape_of(kernel, gpu.sm);
  out.once_cycles = kernel.once;
  out.wave_cycles = kernel.wave;
  for (const SegmentText& segment : segments) {
    out.segments.push_back(segment_description(segment, gpu.kernel.memory));
  }
  if (out.segments.empty()) kernel.place.fail("", "no [[segment]]", "at least one");
  if (const auto reason = why_impossible(gpu.sm, out.shape)) {
    throw ConfigError(kernel.place.where(), kernel.place.path + ": " + *reason);
  }
  return out;
}

ExplainQuestion read_kernel(const ConfigValue& file, const std::string& gpu,
                            const std::vector<std::string>& settings,
                            const ProfileLibrary& library) {
  const Configuration configuration = resolve(with_choice(file, gpu), settings, library);
  const auto tree = std::make_shared<const ConfigValue>(configuration.resolved);
  const bool op = tree->find("operator") != nullptr;
  KernelFileText text;
  const std::string root;
  read_fields({*tree, root}, op ? operator_file_fields() : kernel_file_fields(), Sources::kAllowed,
              text);
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
                                 const ProfileLibrary& library) {
  return read_kernel(read_toml_file(file), gpu, settings, library);
}

ExplainQuestion read_operator(const std::vector<std::string>& flags, const std::string& gpu,
                              const std::vector<std::string>& settings,
                              const ProfileLibrary& library) {
  ConfigValue file{ConfigValue::Table{}, Location{"--op"}};
  for (const std::string& flag : flags) {
    lay_over(file,
             read_setting("operator." + flag, "--" + flag_of(flag.substr(0, flag.find('=')))));
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
         field_table("[kernel]", kernel_shape_fields()) +
         field_table("[[segment]]", segment_fields()) +
         field_table("[segment.instructions] and [segment.register_conflicts]",
                     pipe_count_fields()) +
         field_table("[[segment.memory]]", access_fields()) +
         field_table("The file of an operator", operator_file_fields()) +
         field_table("[operator]", operator_keys(OperatorForm::kQuestion)) + operator_reference();
}

}  // namespace septet
