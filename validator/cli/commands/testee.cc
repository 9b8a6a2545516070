// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/testee.h"

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/loss_watch.h"
#include "validator/cli/command_table.h"
#include "validator/schema/testee_schema.h"

namespace pmproof::validator {
namespace {

class TesteeCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Flag("--schema", "Print the JSON Schema of the messages", &print_schema_);
    memory_.Declare(options, "A request that needs more is answered by an error");
    options
        .Notes(
            "One JSON object a line comes in, one a line goes out, until {\"cmd\": \"bye\"} or the "
            "end "
            "of the input.")
        .Examples({"pmproof testee --schema"})
        .ExitStatuses(
            "0, also where requests made no sense: those are answered by an error; 5 an answer "
            "could not "
            "be written");
  }

  const MemoryOption* memory() const override { return &memory_; }

  ExitStatus Run(const CommonArguments&, const Environment& environment) override {
    if (print_schema_) {
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
    if (testee.Serve(std::cin, environment.out)) return ExitStatus::kOk;
    environment.err << "pmproof: standard output: the answers could not be written\n";
    return ExitStatus::kInternal;
  }

 private:
  bool print_schema_ = false;
  // An answer may have 256 MiB of text (replay.interp), and is a tree of values before.
  MemoryOption memory_{MemoryOption::Of::kCommand, std::uint64_t{4} << 30};
};

}  // namespace

std::unique_ptr<Command> MakeTestee() { return std::make_unique<TesteeCommand>(); }

}  // namespace pmproof::validator
