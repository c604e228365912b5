// Hardware profiles, on top of those that are shipped.
#include "scenarios/config/hardware/profile.hpp"

#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::read_or_refuse([&] {
    const config::Profile profile = config::read_profile(
        fuzz::file_of(data, size, ".toml"), {std::string(SEPTET_SOURCE_DIRECTORY) + "/data"});
    profile.kind == config::ProfileKind::kGpu ? void(config::gpu_spec(profile))
                                              : void(config::host_spec(profile));
    config::profile_warnings(profile);
  });
}
