#include <string>
#include <utility>
#include <vector>

#include "reference/archive/loss_watch.h"
#include "validator/cli/commands/testee.h"
#include "validator/schema/testee_schema.h"
#include "validator/testee/testee.h"

namespace pmproof::validator {

ExitStatus RunTestee(const TesteeArguments& arguments, const Environment& environment,
                     std::istream& in) {
  if (arguments.print_schema) {
    for (const EmbeddedFile& file : testee_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }
  std::vector<std::string> rules;
  for (const replay::Profile& profile : environment.profiles(replay::CounterWrap::kOff)) {
    rules.emplace_back(profile->name());
  }
  archive::LossWatch storage(environment.storage);
  Testee testee(AllOperations(storage, environment.catalogue, environment.profiles),
                std::move(rules), &storage);
  if (testee.Serve(in, environment.out)) return ExitStatus::kOk;
  environment.err << "pmproof: standard output: the answers could not be written\n";
  return ExitStatus::kInternal;
}

}  // namespace pmproof::validator
