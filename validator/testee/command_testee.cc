#include "validator/testee/commands.h"
#include "validator/testee/testee.h"
#include "validator/testee_schema.h"

namespace pmproof::validator {

ExitStatus RunTestee(const TesteeArguments& arguments, const Environment& environment,
                     std::istream& in) {
  if (arguments.print_schema) {
    for (const EmbeddedFile& file : testee_schema()) environment.out << file.content;
    return ExitStatus::kOk;
  }
  if (Testee(AllOperations(environment.storage)).Serve(in, environment.out)) return ExitStatus::kOk;
  environment.err << "pmproof: standard output: the answers could not be written\n";
  return ExitStatus::kInternal;
}

}  // namespace pmproof::validator
