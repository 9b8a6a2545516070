// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/archive_output.h"
#include "reference/archive/file_set.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/identifier.h"
#include "validator/cli/output_name.h"
#include "validator/output/interruptible_output.h"
#include "validator/output/interruption.h"
#include "validator/synthesis/shrink.h"
#include "validator/text/progress.h"

namespace pmproof::validator {
namespace {

struct ShrinkArguments {
  std::string rule;
  bool ask = false;    // in place of a rule
  double budget = 60;  // seconds
  bool force = false;
  MemoryOption memory;
  std::string in;
  std::string out;
};

using Clock = std::chrono::steady_clock;

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string Counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

class ShrinkRun {
 public:
  ShrinkRun(const ShrinkArguments& arguments, const CommonArguments& common,
            const Environment& environment)
      : arguments_(arguments), common_(common), environment_(environment) {}

  ExitStatus Run() {
    Interruption interruption;
    const Rule* const rule = arguments_.ask ? nullptr : FindRule();
    if (rule == nullptr && !arguments_.ask) return ExitStatus::kUsage;
    const bool of_set = arguments_.ask ? arguments_.in.find(',') != std::string::npos
                                       : rule->part == RulePart::kSet;
    const archive::ArchiveNames found =
        archive::ListArchives(environment_.storage, {arguments_.in}, /*recursive=*/!of_set);
    for (const Status& error : found.errors) return Fail(ExitStatus::kUnreadable, error.ToText());
    const std::vector<std::string>& names = found.names;
    if (of_set != (names.size() > 1)) {
      return Fail(ExitStatus::kUsage,
                  arguments_.in + ": " + Counted(names.size(), "archive") +
                      (of_set && !arguments_.ask
                           ? "; " + rule->id.ToString() +
                                 " is about archives that are opened together: give a list "
                                 "A,B or a directory with several"
                           : ": shrink takes one at a time"));
    }
    if (const std::string refusal = RefuseBaseName(environment_.storage, arguments_.out);
        !refusal.empty()) {
      return Fail(ExitStatus::kUsage, arguments_.out + ": " + refusal);
    }
    const std::vector<std::string> present = Present(names.size());
    if (const std::string refusal = RefusePresent(names, present); !refusal.empty())
      return Fail(ExitStatus::kUsage, refusal);

    const Clause id = arguments_.ask ? Clause{} : rule->id;
    if (arguments_.ask) interruption.Defer();
    InterruptibleOutput output(archive::MakePosixOutput(), [&] { return interruption.wished(); });
    std::optional<Status> unwritten;
    const auto shrunk =
        Shrunken(names, id, [&](const NamedFiles& files, const std::vector<std::string>& archives) {
          return !unwritten && Ask(output, files, archives, Present(names.size()), &unwritten);
        });
    if (!shrunk) return Explain(shrunk.error(), arguments_.in, id);
    interruption.Defer();
    if (!unwritten) {
      unwritten = WriteFiles(output, arguments_.out, shrunk->files, Present(names.size()));
    }
    if (unwritten) {
      return FailToWrite(environment_, interruption, ExitStatus::kInternal, unwritten->ToText());
    }
    if (!common_.quiet) Tell(*shrunk, id);
    return ExitStatus::kOk;
  }

 private:
  ExitStatus Fail(ExitStatus status, const std::string& message) const {
    return validator::Fail(environment_, status, message);
  }

  // Writes an archive to OUT, names what was written in a line of standard output, and reads the
  // answer: "yes", or anything else.
  bool Ask(archive::OutputStorage& output, const NamedFiles& files,
           const std::vector<std::string>& archives, const std::vector<std::string>& replaced,
           std::optional<Status>* unwritten) const {
    *unwritten = WriteFiles(output, arguments_.out, files, replaced);
    if (*unwritten) return false;
    const std::string directory = arguments_.out.substr(0, arguments_.out.rfind('/') + 1);
    std::string line;
    for (const std::string& name : archives) line += (line.empty() ? "" : "\t") + directory + name;
    environment_.out << line << std::endl;
    return std::getline(std::cin, line) && line == "yes";
  }

  // Null, and said why, if there is no such rule.
  const Rule* FindRule() const {
    const std::optional<Clause> id = ParseIdentifier(arguments_.rule);
    const Rule* const rule = id ? environment_.catalogue.Find(*id) : nullptr;
    if (rule != nullptr) return rule;
    std::vector<Clause> all;
    for (const Rule& known : environment_.catalogue.entries()) all.push_back(known.id);
    Fail(ExitStatus::kUsage,
         "--rule: there is no rule " + arguments_.rule + NearestHint(arguments_.rule, all));
    return nullptr;
  }

  // The files of archives called OUT, OUT-2 and so on: one for each of a set.
  std::vector<std::string> Present(std::size_t archives) const {
    std::vector<std::string> present;
    for (std::size_t i = 1; i <= archives; ++i) {
      const std::string name = arguments_.out + (i > 1 ? "-" + std::to_string(i) : "");
      const std::vector<std::string> files = archive::FilesOf(environment_.storage, name);
      present.insert(present.end(), files.begin(), files.end());
    }
    return present;
  }

  std::string RefusePresent(const std::vector<std::string>& in,
                            const std::vector<std::string>& present) const {
    std::vector<std::string> read;
    for (const std::string& archive : in) {
      for (std::string& file : archive::FilesOf(environment_.storage, archive))
        read.push_back(std::move(file));
    }
    return RefuseReplacing(present, read, arguments_.force);
  }

  template <typename Keeps>
  tl::expected<Shrunk, ShrinkFailure> Shrunken(const std::vector<std::string>& names, Clause rule,
                                               Keeps&& keeps) const {
    ShrinkOptions options;
    options.rule = rule;
    if (arguments_.ask) options.keeps = keeps;
    options.base = arguments_.out.substr(arguments_.out.rfind('/') + 1);
    MachineCheck machine(common_, environment_);
    machine.options.memory = arguments_.memory.budget();
    options.check = machine.options;
    options.memory = arguments_.memory.budget().Archive();
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(arguments_.budget));
    options.expired = [end] { return Clock::now() >= end; };
    std::unique_ptr<ProgressBar> bar;
    if (WantsBar(common_, environment_)) bar = std::make_unique<ProgressBar>(environment_.err);
    return Shrink(environment_.storage, names, environment_.catalogue, options, bar.get());
  }

  ExitStatus Explain(const ShrinkFailure& failure, const std::string& in, Clause rule) const {
    if (arguments_.ask && failure.cause == ShrinkFailure::Cause::kNotInFiles) {
      return Fail(ExitStatus::kUsage, in + ": the answer is no where its files are called " +
                                          arguments_.out + ", or anew");
    }
    switch (failure.cause) {
      case ShrinkFailure::Cause::kNoFinding:
        return Fail(ExitStatus::kUsage,
                    in + ": no finding of " + rule.ToString() + "; found: " +
                        (failure.findings.empty() ? "nothing" : Joined(failure.findings)));
      case ShrinkFailure::Cause::kNotInFiles:
        return Fail(ExitStatus::kUsage,
                    in + ": " + rule.ToString() +
                        " comes from the name of the archive or from what is beside it, and goes "
                        "where its files are called " +
                        arguments_.out);
      case ShrinkFailure::Cause::kInput:
        break;
    }
    const bool budget = failure.status.kind == Status::Kind::kBudget;
    return Fail(budget ? ExitStatus::kBudget : ExitStatus::kUnreadable, failure.status.ToText());
  }

  void Tell(const Shrunk& shrunk, Clause rule) const {
    std::ostream& err = environment_.err;
    err << (arguments_.ask ? "what was asked for" : rule.ToString()) << " kept: from "
        << Counted(shrunk.before.bytes, "byte") << ", " << Counted(shrunk.before.records, "record")
        << " to " << Counted(shrunk.after.bytes, "byte") << ", "
        << Counted(shrunk.after.records, "record") << ", in " << Counted(shrunk.checks, "check")
        << '\n';
    if (!shrunk.also.empty()) err << "also found in it: " << Joined(shrunk.also) << '\n';
    if (shrunk.expired) err << "the budget ran out: with a larger --budget it may become smaller\n";
  }

  const ShrinkArguments& arguments_;
  const CommonArguments& common_;
  const Environment& environment_;
};

class ShrinkCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options
        .Operand("IN",
                 "Base name, any file of an archive, or a directory with one archive; for a rule "
                 "on sets "
                 "(ARC-2101 to 2109) a list A,B,... or a directory; never written to",
                 &arguments_.in)
        .Required();
    options
        .Operand("OUT", "Base name of the new archive; further ones of a set: OUT-2, OUT-3, ...",
                 &arguments_.out)
        .Required();
    options.Text("--rule", "ID", "The rule whose finding stays: ARC-1102", &arguments_.rule);
    options
        .Flag("--ask",
              "In place of --rule: each candidate is written to OUT, the archives are named in a "
              "line of standard output (tabs between them), and a line \"yes\" on standard input "
              "takes it",
              &arguments_.ask)
        .Excludes({"--rule"});
    options
        .Decimal("--budget", "SECONDS", "After this time the smallest archive so far is taken", 0,
                 1e6, &arguments_.budget)
        .Default("60");
    options.Flag("--force", "Replace an archive called OUT", &arguments_.force);
    arguments_.memory.Declare(options, "It is some two times IN, uncompressed");
    options
        .Notes(
            "Leaves out files, records, value sets, values, instances, labels and letters as long "
            "as check "
            "still has a finding of the rule. Other findings, but for those of severity info, stay "
            "or go; no "
            "new ones come up. Works on damaged and on compressed archives. With --ask OUT is the "
            "last candidate where the status is not 0.")
        .Examples({"pmproof shrink --rule ARC-1104 bad small"})
        .ExitStatuses(
            "0 done, also where the budget ran out: OUT has the finding, and could perhaps be "
            "smaller; 2 "
            "wrong usage, IN has no such finding, or OUT exists; 4 IN is missing or not a PCP "
            "archive; 5 OUT "
            "could not be written; 6 IN is too large. OUT is complete or not there at all");
  }

  std::string Wrong(const Catalogue&) override {
    return arguments_.rule.empty() && !arguments_.ask ? "--rule or --ask is needed" : "";
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    return ShrinkRun(arguments_, common, environment).Run();
  }

 private:
  ShrinkArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeShrink() { return std::make_unique<ShrinkCommand>(); }

}  // namespace pmproof::validator
