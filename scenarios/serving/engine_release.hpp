// Releases of serving engines: "vllm 0.11.2" is described by the profile of vLLM that begins with
// the latest release up to 0.11.2.
#pragma once

#include <string>
#include <vector>

#include "scenarios/serving/engine_library.hpp"

namespace septet::serving {

// The numbers of a release, in front of anything else: {0, 5, 6} of "0.5.6.post1", {1, 2} of
// "1.2rc1".
std::vector<int> release_numbers(const std::string& text);

// `name`: an alias, without a release for the latest one. Null where no profile has it as an alias,
// or all of those are younger.
const EngineProfile* profile_of_release(const std::vector<EngineProfile>& profiles,
                                        const std::string& name);

}  // namespace septet::serving
