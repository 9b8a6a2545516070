// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/command_table.h"
#include "validator/rules_diff/profile_sheet.h"

namespace pmproof::validator {
namespace {

class RulesListCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options
        .Choice("--format", "FORMAT", "",
                std::vector<NamedValue<bool>>{{"text", false}, {"json", true}}, &json_)
        .Default("text");
    options.Examples({"pmproof rules list"}).ExitStatuses("0 done; 2 wrong usage");
  }

  ExitStatus Run(const CommonArguments&, const Environment& environment) override {
    const std::vector<replay::Profile> all = environment.profiles(replay::CounterWrap::kOff);
    if (json_) {
      WriteProfilesJson(all, environment.out);
    } else {
      WriteProfilesText(all, environment.out_screen, environment.out);
    }
    return ExitStatus::kOk;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeRulesList() { return std::make_unique<RulesListCommand>(); }

}  // namespace pmproof::validator
