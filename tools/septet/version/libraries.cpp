// The libraries that a result may depend on. Of those that are loaded at run time it is the loaded
// version that counts, which need not be the one that Septet was compiled with.
#include <boost/version.hpp>
#include <fmt/format.h>
#include <hdf5.h>
#include <nlohmann/json_fwd.hpp>
#include <oneapi/tbb/version.h>
#include <protozero/version.hpp>
#include <rapidjson/rapidjson.h>
#include <sqlite3.h>
#include <toml++/impl/version.h>
#include <zlib.h>

#include "tools/septet/version/build_info.hpp"

namespace septet::command {
namespace {

std::string dotted(unsigned major, unsigned minor, unsigned patch) {
  return fmt::format("{}.{}.{}", major, minor, patch);
}

// The question starts HDF5, which would tidy up at exit from then on and crash there after a full
// disk (core/trace/hdf5_handle.hpp).
std::string hdf5_version() {
  H5dont_atexit();
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return dotted(major, minor, release);
}

}  // namespace

std::vector<std::string> library_versions() {
  return {
      "Boost " + dotted(BOOST_VERSION / 100'000, BOOST_VERSION / 100 % 1'000, BOOST_VERSION % 100),
      "fmt " + dotted(FMT_VERSION / 10'000, FMT_VERSION / 100 % 100, FMT_VERSION % 100),
      "HDF5 " + hdf5_version(),
      "nlohmann-json " + dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                NLOHMANN_JSON_VERSION_PATCH),
      std::string("oneTBB ") + TBB_runtime_version(),
      std::string("protozero ") + PROTOZERO_VERSION_STRING,
      std::string("RapidJSON ") + RAPIDJSON_VERSION_STRING,
      std::string("SQLite ") + sqlite3_libversion(),
      "toml++ " + dotted(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH),
      std::string("zlib ") + zlibVersion(),
  };
}

}  // namespace septet::command
