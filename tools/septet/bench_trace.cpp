// `septet bench rows`: writing result files.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/septet/bench/rows.hpp"
#include "tools/septet/bench_commands.hpp"
#include "tools/septet/options.hpp"

namespace septet::command {

int bench_rows(const std::vector<std::string>& arguments) {
  CommonOptions common;
  RowsOptions rows;
  std::uint64_t columns = rows.columns;
  std::string path = rows.path.string();
  Options options(
      {"septet bench rows", "[options]",
       "Writes rows to a compressed result file as a simulation does. The file is kept.",
       "septet bench rows --rows 10000000 --output /dev/shm/rows.h5"});
  options.count("rows", rows.rows, "rows to write (default 2000000)", 1);
  options.count("columns", columns, "columns per row (default 6)", 1, 256);
  options.text("output", "PATH", path, "the file (default rows.h5)");
  options.common(common, {Common::kJson});
  if (!options.parse(arguments)) return kExitOk;
  rows.columns = static_cast<std::size_t>(columns);
  rows.path = path;
  const RowsReport report = run_rows(rows);
  if (common.json) {
    const nlohmann::ordered_json result = {{"rows", report.rows},
                                           {"seconds", report.seconds},
                                           {"rows_per_s", report.rows_per_s},
                                           {"bytes", report.bytes}};
    fmt::print("{}\n", result.dump(2));
  } else {
    fmt::print("{} rows in {:.3f} s: {:.2f} M rows/s, {:.1f} bytes per row\n", report.rows,
               report.seconds, report.rows_per_s / 1e6,
               static_cast<double>(report.bytes) / static_cast<double>(report.rows));
  }
  return kExitOk;
}

}  // namespace septet::command
