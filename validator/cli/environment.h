#ifndef PMPROOF_VALIDATOR_CLI_ENVIRONMENT_H_
#define PMPROOF_VALIDATOR_CLI_ENVIRONMENT_H_

#include <functional>
#include <ostream>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/replay/profiles.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/report/report.h"
#include "validator/cli/command_line.h"
#include "validator/text/terminal.h"

// What the program does, a function for each command. They write to the streams they are given.

namespace pmproof::validator {

// The interpolation profiles that are known by name.
using ProfileList = std::function<std::vector<replay::Profile>(replay::CounterWrap wrap)>;

struct Environment {
  const archive::Storage& storage;
  const Catalogue& catalogue;
  std::ostream& out;
  std::ostream& err;
  Screen out_screen;
  Screen err_screen;
  ProfileList profiles = replay::NamedProfiles;
};

ExitStatus RunCheck(const CheckArguments& arguments, const CommonArguments& common,
                    const Environment& environment);
ExitStatus RunList(const ListArguments& arguments, const Environment& environment);
ExitStatus RunInfo(const InfoArguments& arguments, const CommonArguments& common,
                   const Environment& environment);
ExitStatus RunDump(const DumpArguments& arguments, const Environment& environment);
ExitStatus RunRewrite(const RewriteArguments& arguments, const CommonArguments& common,
                      const Environment& environment);
ExitStatus RunExplain(const ExplainArguments& arguments, const Environment& environment);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_ENVIRONMENT_H_
