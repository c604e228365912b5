// Engines of published serving runs: the profile of the release in data/engines, with what a row
// says laid over.
#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/validate/public_serving.hpp"

namespace septet::validation {
namespace {

const serving::EngineLibrary& engines() {
  static const serving::EngineLibrary kEngines(config::data_directories());
  return kEngines;
}

template <class Count>
void take(const MeasuredRow& row, const char* key, Count& target) {
  if (const auto number = number_in(row, key)) target = static_cast<std::uint32_t>(*number);
}

void lay_over(const MeasuredRow& row, serving::EngineText& out) {
  take(row, "max_tokens", out.max_num_batched_tokens);
  take(row, "max_batch", out.max_num_seqs);
  take(row, "max_model_len", out.max_model_len);
  if (row.has("prefix_cache")) out.prefix_caching = flag_in(row, "prefix_cache");
  for (const char* key : {"kv_fraction", "gpu_memory_utilization"}) {
    if (const auto fraction = number_in(row, key)) out.memory_fraction = *fraction;
  }
  if (text_in(row, "server_flags").find("--async-scheduling") != std::string::npos) {
    out.overlapped = true;
    out.late_stop = true;
  }
}

}  // namespace

PublicEngine::PublicEngine(const MeasuredRow& row, const gpu::GpuSpec& gpu)
    : numbers_(numbers_on(engines().find(text_in(row, "engine"), row.where()), gpu)) {
  const std::string root;
  config::read_fields({numbers_, root}, serving::engine_fields(), config::Sources::kRequired, text);
  lay_over(row, text);
}

serving::EngineSetup setup_of(const MeasuredRow& row, const serving::EngineText& text,
                              const llm::Deployment& deployment, const gpu::GpuSpec& gpu) {
  serving::EngineSetup out = engine_setup(text, {deployment, std::nullopt, gpu, row.where()});
  if (const auto tokens = number_in(row, "kv_tokens")) {
    out.spec.scheduler.kv_blocks = static_cast<std::uint32_t>(*tokens) / text.block_size;
  }
  return out;
}

}  // namespace septet::validation
