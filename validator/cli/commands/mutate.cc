// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "generators/plan_of.h"
#include "reference/archive/archive_model.h"
#include "reference/archive/decode_model.h"
#include "reference/archive/file_set.h"
#include "validator/check/check.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/identifier.h"
#include "validator/cli/output_name.h"
#include "validator/output/interruptible_output.h"
#include "validator/output/interruption.h"
#include "validator/synthesis/describe_changes.h"
#include "validator/synthesis/list_mutations.h"
#include "validator/synthesis/mutate.h"
#include "validator/synthesis/write_files.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

struct MutateArguments {
  std::vector<std::string> rules;  // "ARC-1104", or "ARC-1104:2" for the second of its edits
  std::uint64_t damages = 0;       // by chance, of any kind
  std::uint64_t flips = 0;         // single bits
  std::uint64_t seed = 1;
  bool force = false;
  MemoryOption memory;
  bool list = false;
  std::string in;
  std::string out;
};

constexpr std::uint64_t kMostDamages = 1'000'000;

using generators::ArchivePlan;
using generators::MutatedFiles;
using generators::Mutation;

std::string Joined(const std::set<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// BASE.NUMBER.ANYTHING, which is not a file of the archive BASE (ARC-1010), though mutate makes
// some.
bool IsStranger(const std::string& name, const std::string& base) {
  if (!name.starts_with(base + ".")) return false;
  const std::string_view rest = std::string_view(name).substr(base.size() + 1);
  const std::size_t digits = rest.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && rest[digits] == '.';
}

class MutateRun {
 public:
  MutateRun(const MutateArguments& arguments, const CommonArguments& common,
            const Environment& environment)
      : arguments_(arguments),
        environment_(environment),
        quiet_(common.quiet),
        machine_(common, environment),
        directory_(std::filesystem::path(arguments.out).parent_path().string()) {
    machine_.options.memory = arguments_.memory.budget();
  }

  ExitStatus Run() {
    Interruption interruption;
    MutateRequest request;
    request.damages = arguments_.damages;
    request.flips = arguments_.flips;
    request.seed = arguments_.seed;
    request.base = arguments_.out.substr(arguments_.out.rfind('/') + 1);
    for (const std::string& rule : arguments_.rules) {
      const ExitStatus status = FindEdits(rule, &request);
      if (status != ExitStatus::kOk) return status;
    }
    const archive::ArchiveNames names =
        archive::ListArchives(environment_.storage, {arguments_.in}, /*recursive=*/true);
    for (const Status& error : names.errors) return Fail(ExitStatus::kUnreadable, error.ToText());
    if (names.names.size() != 1) {
      return Fail(ExitStatus::kUsage, arguments_.in + ": " + std::to_string(names.names.size()) +
                                          " archives: mutate takes one at a time");
    }
    if (const std::string refusal = RefuseBaseName(environment_.storage, arguments_.out);
        !refusal.empty()) {
      return Fail(ExitStatus::kUsage, arguments_.out + ": " + refusal);
    }
    archive::ViolationKeeper ignored(names.names.front());
    const Result<archive::FileSet> in =
        archive::FindArchive(environment_.storage, names.names.front(), ignored);
    if (!in) return Fail(ExitStatus::kUnreadable, in.error().ToText());
    // Before the work is done, and again when it is known which files there are.
    MutatedFiles nothing;
    nothing.base = request.base;
    if (const std::string refusal = RefusePresent(*in, Present(nothing)); !refusal.empty())
      return Fail(ExitStatus::kUsage, refusal);
    if (const ExitStatus status = CheckInput(*in, names.names.front()); status != ExitStatus::kOk)
      return status;
    const Result<ArchivePlan> plan = Read(*in);
    if (!plan) return Fail(StatusOf(plan.error()), plan.error().ToText());

    const Result<Mutated> mutated =
        MutateArchive(*plan, request, environment_.catalogue, machine_.options);
    if (!mutated) return Fail(StatusOf(mutated.error()), mutated.error().ToText());
    const std::vector<std::string> present = Present(mutated->files);
    if (const std::string refusal = RefusePresent(*in, present); !refusal.empty())
      return Fail(ExitStatus::kUsage, refusal);
    interruption.Defer();
    InterruptibleOutput output(archive::MakePosixOutput(), [&] { return interruption.wished(); });
    const NamedFiles named{mutated->files.files, mutated->files.directories};
    if (const auto error = WriteFiles(output, arguments_.out, named, present)) {
      return FailToWrite(environment_, interruption, ExitStatus::kInternal, error->ToText());
    }
    if (!quiet_) Tell(*mutated, *plan, request.base);
    return ExitStatus::kOk;
  }

 private:
  ExitStatus Fail(ExitStatus status, const std::string& message) const {
    return validator::Fail(environment_, status, message);
  }

  // Adds the edits that "ARC-1104" or "ARC-1104:2" stands for.
  ExitStatus FindEdits(const std::string& text, MutateRequest* request) const {
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    const std::optional<Clause> id = ParseIdentifier(name);
    const Rule* const rule = id ? environment_.catalogue.Find(*id) : nullptr;
    if (rule == nullptr) {
      std::vector<Clause> all;
      for (const Rule& known : environment_.catalogue.entries()) all.push_back(known.id);
      return Fail(ExitStatus::kUsage, "--rule: there is no rule " + name + NearestHint(name, all));
    }
    std::vector<const Mutation*> edits = MutationsOf(rule->id);
    if (edits.empty()) {
      std::set<std::string> others;
      for (const Clause clause : rule->covered_by) others.insert(clause.ToString());
      return Fail(ExitStatus::kUsage,
                  "--rule: " + rule->id.ToString() +
                      " is reported by others in its place: " + Joined(others, ", "));
    }
    if (colon != std::string::npos) {
      std::size_t number = 0;
      const char* const end = text.data() + text.size();
      const auto parsed = std::from_chars(text.data() + colon + 1, end, number);
      if (parsed.ec != std::errc() || parsed.ptr != end || number == 0 || number > edits.size()) {
        return Fail(ExitStatus::kUsage, "--rule: " + rule->id.ToString() + " has the edits 1 to " +
                                            std::to_string(edits.size()) + ", see --list");
      }
      edits = {edits[number - 1]};
    }
    request->edits.push_back(std::move(edits));
    return ExitStatus::kOk;
  }

  // What is in the way of these files, and of an archive called OUT.
  std::vector<std::string> Present(const MutatedFiles& files) const {
    std::set<std::string> bases = {files.base,
                                   arguments_.out.substr(arguments_.out.rfind('/') + 1)};
    for (const auto& [name, content] : files.files) {
      if (const auto parsed = archive::ParseFileName(name)) bases.insert(parsed->base);
    }
    std::vector<std::string> present;
    const auto entries = environment_.storage.List(directory_.empty() ? "." : directory_);
    if (!entries) return present;
    for (const archive::DirectoryEntry& entry : *entries) {
      const auto parsed = archive::ParseFileName(entry.name);
      const bool of_archive = parsed && bases.contains(parsed->base);
      const bool stranger = std::any_of(bases.begin(), bases.end(), [&](const std::string& base) {
        return IsStranger(entry.name, base);
      });
      if (of_archive || stranger || files.files.contains(entry.name))
        present.push_back(PathOf(entry.name));
    }
    return present;
  }

  std::string PathOf(const std::string& name) const {
    return directory_.empty() ? name : archive::JoinPath(directory_, name);
  }

  std::string RefusePresent(const archive::FileSet& in,
                            const std::vector<std::string>& present) const {
    std::vector<std::string> read;
    for (const auto& [part, file] : in.parts) read.push_back(file.path);
    for (const std::string& path : present) {
      std::error_code error;
      if (std::filesystem::is_directory(path, error))
        return path + ": is a directory, which mutate does not replace";
    }
    return RefuseReplacing(present, read, arguments_.force);
  }

  // What readers refuse is not mutated, nor an archive of which it depends on the reader what it
  // is.
  ExitStatus CheckInput(const archive::FileSet& in, const std::string& name) const {
    const auto too_large = [&] {
      return Fail(ExitStatus::kBudget, name + ": is too large to be held in memory several times");
    };
    const std::uint64_t largest = arguments_.memory.budget().Archive();
    std::uint64_t stored = 0;
    for (const auto& [part, file] : in.parts) {
      std::error_code error;
      const auto size = std::filesystem::file_size(file.path, error);
      if (!error) stored += size;
    }
    if (stored > largest) return too_large();
    const ArchiveReport report =
        CheckArchive(environment_.storage, name, environment_.catalogue, machine_.options);
    if (report.summary.bytes > largest) return too_large();
    if (const auto refusal = RefuseInput(report)) return Fail(refusal->status, refusal->message);
    return ExitStatus::kOk;
  }

  Result<ArchivePlan> Read(const archive::FileSet& in) const {
    const Result<archive::ArchiveModel> model = DecodeArchive(environment_.storage, in);
    if (!model) return tl::unexpected(model.error());
    Result<ArchivePlan> plan = generators::PlanOf(*model);
    if (!plan) plan.error().file = in.Name();
    return plan;
  }

  static ExitStatus StatusOf(const Status& status) {
    switch (status.kind) {
      case Status::Kind::kBudget:
        return ExitStatus::kBudget;
      case Status::Kind::kUsage:
        return ExitStatus::kUsage;
      case Status::Kind::kDamaged:
      case Status::Kind::kUnsupported:
        return ExitStatus::kFindings;
      case Status::Kind::kNotFound:
      case Status::Kind::kUnreadable:
      case Status::Kind::kNotAnArchive:
        break;
    }
    return ExitStatus::kUnreadable;
  }

  void Tell(const Mutated& mutated, const ArchivePlan& plan, const std::string& base) const {
    std::ostream& err = environment_.err;
    for (const Mutation* const edit : mutated.edits)
      err << edit->rule.ToString() << ": " << edit->edit << '\n';
    for (const std::string& damage : mutated.damages) err << Displayable(damage) << '\n';
    if (mutated.damages.empty()) {
      MutatedFiles before;
      before.base = base;
      for (auto& [suffix, content] : Encode(plan).files)
        before.files[base + "." + suffix] = std::move(content);
      for (const std::string& line : DescribeChanges(before, mutated.files))
        err << "  " << Displayable(line) << '\n';
    }
    err << "check finds"
        << (mutated.found.empty() ? " nothing that it does not find in IN"
                                  : ": " + Joined(mutated.found, ", "))
        << '\n';
  }

  const MutateArguments& arguments_;
  const Environment& environment_;
  const bool quiet_;
  MachineCheck machine_;
  const std::string directory_;  // of OUT; empty for the current one
};

class MutateCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operand(
        "IN",
        "Base name, any file of an archive, or a directory with one archive; never written to",
        &arguments_.in);
    options.Operand("OUT", "Base name of the new archive", &arguments_.out);
    options.Flag("--list", "The edits of each rule with their numbers, on standard output",
                 &arguments_.list);
    options.Texts(
        "--rule", "ID[:EDIT]",
        "The rule to break: ARC-1104. The seed chooses among its edits and places; ARC-1104:2 is "
        "the second of its edits",
        &arguments_.rules);
    options.Number("--seed", "N", "Another one, another place", 0, kMostNumber, &arguments_.seed)
        .Default("1");
    options.Number(
        "--damage", "N",
        "N times something by chance: bits inverted, bytes overwritten, put in, removed, a file "
        "cut, a record repeated or moved",
        1, kMostDamages, &arguments_.damages);
    options.Number("--flip", "N", "N bits inverted by chance, at last", 1, kMostDamages,
                   &arguments_.flips);
    options.Flag("--force", "Replace an archive called OUT", &arguments_.force);
    arguments_.memory.Declare(options, "It is some ten times IN, uncompressed");
    options
        .Notes(
            "One --rule breaks that rule and no other, but for those that the rule's page says to "
            "be "
            "reported with it: check finds nothing else that it does not find in IN. Several, and "
            "damage by "
            "chance, break what they break. What was done is told on standard error. The same IN "
            "and the "
            "same arguments give the same OUT on every machine. Files of OUT are not compressed, "
            "unless that "
            "is the edit; some edits give OUT another base name, or other archives beside it.")
        .Examples({"pmproof mutate --list", "pmproof mutate --rule ARC-1104 good bad",
                   "pmproof mutate --seed 7 --damage 3 good bad"})
        .ExitStatuses(
            "0 done; 1 IN is damaged, or no edit was found that breaks just that rule; 2 wrong "
            "usage, IN "
            "lacks what the edit needs, or OUT exists; 4 IN is missing or not a PCP archive; 5 OUT "
            "could not "
            "be written; 6 a memory budget was exceeded. OUT is complete or not there at "
            "all");
  }

  std::string Wrong(const Catalogue&) override {
    const bool work = !arguments_.rules.empty() || arguments_.damages != 0 || arguments_.flips != 0;
    if (arguments_.list) {
      return work || !arguments_.in.empty() ? "--list goes with nothing else" : "";
    }
    if (arguments_.out.empty()) return "IN and OUT, or --list, are required";
    return work ? "" : "--rule, --damage or --flip is required";
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    if (arguments_.list) return ListMutations(environment);
    return MutateRun(arguments_, common, environment).Run();
  }

 private:
  MutateArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeMutate() { return std::make_unique<MutateCommand>(); }

}  // namespace pmproof::validator
