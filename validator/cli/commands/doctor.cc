// SPDX-License-Identifier: Apache-2.0
#include "validator/doctor/doctor.h"

#include <vector>

#include "validator/catalogue/catalogue.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/settings.h"
#include "validator/schema/doctor_schema.h"

namespace pmproof::validator {
namespace {

class DoctorCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options
        .Choice("--format", "FORMAT", "",
                std::vector<NamedValue<bool>>{{"text", false}, {"json", true}}, &json_)
        .Default("text");
    options.Flag("--schema", "Print the JSON Schema of --format json", &print_schema_);
    options
        .Notes(
            "Archives, agents and collectors are checked without anything beside pmproof. The "
            "suite, the fleet and comparisons with PCP need more: this says what of it is here, "
            "and how to install the rest. It starts pmval and python3, where it finds them in "
            "PATH, to ask for their versions.")
        .Examples({"pmproof doctor", "pmproof doctor --format json"})
        .ExitStatuses("0 printed; 2 wrong usage, or pmproof.toml is wrong; 4 it cannot be read");
  }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    if (print_schema_) {
      for (const EmbeddedFile& file : doctor_schema()) environment.out << file.content;
      return ExitStatus::kOk;
    }
    const Result<Settings> settings =
        common.no_config ? Result<Settings>() : SettingsHere(environment.storage);
    if (!settings) {
      const bool wrong = settings.error().kind == Status::Kind::kUsage;
      return Fail(environment, wrong ? ExitStatus::kUsage : ExitStatus::kUnreadable,
                  settings.error().ToText());
    }
    const Surroundings surroundings = Surroundings::OfThisProcess();
    const DoctorReport report{.program = surroundings.program,
                              .rules = std::string(environment.catalogue.digest()),
                              .settings = settings->file,
                              .companions = LookAround(surroundings)};
    json_ ? RenderDoctorJson(report, environment.out)
          : RenderDoctorText(report, environment.out_screen, environment.out);
    return ExitStatus::kOk;
  }

 private:
  bool json_ = false;
  bool print_schema_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeDoctor() { return std::make_unique<DoctorCommand>(); }

}  // namespace pmproof::validator
