// A model described by the config.json that Hugging Face repositories hold, as it is.
#pragma once

#include <filesystem>

#include "models/workload/transformer/model.hpp"

namespace septet::config {

// Throws ConfigError naming the file and the key that is missing or makes no sense.
transformer::Model read_hugging_face(const std::filesystem::path& file);

}  // namespace septet::config
