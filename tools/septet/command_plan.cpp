// `septet plan`: the time and memory of a training step, and the fastest layout for it.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/study/hardware_system.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/progress.hpp"
#include "tools/septet/terminal.hpp"
#include "tools/septet/training/plan_report.hpp"

namespace septet::command {

int command_plan(const std::vector<std::string>& arguments) {
  CommonOptions common;
  std::string file;
  bool given = false;
  Options options(
      {"septet plan",
       "FILE.toml [options]",
       "Simulates the training step of a scenario ([training]) by one GPU of each pipeline stage:\n"
       "where its time goes, and the memory of its GPUs. With a table [plan]\n"
       "(scenarios/training/FORMAT.md) it looks for the fastest layout that fits, says what each\n"
       "bound left out, and shows the ten best side by side. Exit code 4: nothing fits.",
       "septet plan scenarios/shipped/training/70b-64.toml --set training.micro_batch_size=2",
       {kExitOk, kExitFailure, kExitUsage, kExitInput, kExitObjective}});
  options.positional("FILE.toml", file);
  options.flag("given", given, "the layout of the file alone, without a search");
  options.common(common, {Common::kJson, Common::kQuiet, Common::kSet});
  if (!options.parse(arguments)) return kExitOk;
  const config::TrainingCase training =
      config::read_training(config::resolve(config::read_toml_file(file), common.settings,
                                            config::ProfileLibrary(config::data_directories())));
  std::optional<training::PlanChoices> choices;
  if (training.plan && !given) choices = training::read_plan(*training.plan);
  Progress progress("plan", common.quiet);
  const training::Plan plan = make_plan(training, study::system_of(training.hardware), choices,
                                        [&](double done) { progress.update(done); });
  fmt::print("{}", common.json ? plan_json(plan).dump(2) + "\n"
                               : plan_text(training, plan, describe_terminal(stdout).columns));
  return plan.given_fits || !plan.best.empty() ? kExitOk : kExitObjective;
}

}  // namespace septet::command
