// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/testee.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/loss_watch.h"
#include "validator/cli/command_table.h"
#include "validator/replay/emulated_version.h"
#include "validator/schema/testee_schema.h"

namespace pmproof::validator {
namespace {

using replay::emulation::Deviation;

std::string Known() {
  std::string all;
  for (const Deviation deviation : replay::emulation::MendableDeviations(PcpVersion::k7_2)) {
    all += (all.empty() ? "" : ", ") + ToText(deviation);
  }
  return all;
}

class TesteeCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Flag("--schema", "Print the JSON Schema of the messages", &print_schema_);
    options.Choice("--emulate", "VERSION",
                   "Answer values as that version of PCP where a request names neither a rule nor "
                   "a version",
                   EmulatedVersions(), &emulation_.version);
    options
        .Texts("--without", "DEV-nn",
               "A deviation that the emulation does not have; several with commas or repeated",
               &without_)
        .Delimiter(',');
    options
        .Texts("--only", "DEV-nn",
               "The deviations that the emulation has, none of the others; none: no deviation",
               &only_)
        .Delimiter(',')
        .Excludes({"--without"});
    memory_.Declare(options, "A request that needs more is answered by an error");
    options
        .Notes(
            "One JSON object a line comes in, one a line goes out, until {\"cmd\": \"bye\"} or the "
            "end "
            "of the input.")
        .Examples({"pmproof testee --schema", "pmproof testee --emulate 6.3.8 --without DEV-07"})
        .ExitStatuses(
            "0, also where requests made no sense: those are answered by an error; 5 an answer "
            "could not "
            "be written");
  }

  std::string Wrong(const Catalogue&) override {
    if (without_.empty() && only_.empty()) return "";
    if (!emulation_.version) return "--without and --only need --emulate";
    std::vector<Deviation> named;
    for (const std::string& text : without_.empty() ? only_ : without_) {
      if (only_.size() == 1 && text == "none") break;
      const std::optional<Deviation> deviation = replay::emulation::ParseMendable(text);
      if (!deviation) return text + " is no deviation that can be left out; those are " + Known();
      named.push_back(*deviation);
    }
    for (const Deviation deviation : replay::emulation::MendableDeviations(*emulation_.version)) {
      const bool is_named = std::ranges::count(named, deviation) > 0;
      if (is_named == only_.empty()) emulation_.mends = emulation_.mends.With(deviation);
    }
    return "";
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
    Testee testee(AllOperations(storage, environment.catalogue, environment.profiles, emulation_),
                  std::move(rules), &storage);
    if (testee.Serve(std::cin, environment.out)) return ExitStatus::kOk;
    environment.err << "pmproof: standard output: the answers could not be written\n";
    return ExitStatus::kInternal;
  }

 private:
  bool print_schema_ = false;
  EmulationDefault emulation_;
  std::vector<std::string> without_;
  std::vector<std::string> only_;
  // An answer may have 256 MiB of text (replay.interp), and is a tree of values before.
  MemoryOption memory_{MemoryOption::Of::kCommand, std::uint64_t{4} << 30};
};

}  // namespace

std::unique_ptr<Command> MakeTestee() { return std::make_unique<TesteeCommand>(); }

}  // namespace pmproof::validator
