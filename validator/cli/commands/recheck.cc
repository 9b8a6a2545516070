// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/commands/policy_file.h"
#include "validator/custody/bag.h"
#include "validator/custody/recheck.h"
#include "validator/custody/render_recheck.h"
#include "validator/schema/recheck_schema.h"

namespace pmproof::validator {
namespace {

struct RecheckArguments {
  std::string certificate;
  std::optional<std::string> root;
  std::optional<std::string> bag;
  std::optional<std::string> copy;
  std::optional<Severity> fail_on;
  std::optional<std::string> policy;
  bool digests_only = false;
  bool json = false;
  bool print_schema = false;
  MemoryOption memory{MemoryOption::Of::kEachArchive};
};

ExitStatus FailToRead(const Environment& environment, const Status& error) {
  const bool budget = error.kind == Status::Kind::kBudget;
  return Fail(environment, budget ? ExitStatus::kBudget : ExitStatus::kUnreadable, error.ToText());
}

// Why a directory cannot be looked into, if so.
std::optional<Status> RefuseDirectory(const archive::Storage& storage, const std::string& path) {
  const auto kind = storage.KindOf(path);
  if (!kind) return kind.error();
  if (*kind == archive::DirectoryEntry::Kind::kDirectory) return std::nullopt;
  return Status{.kind = Status::Kind::kUnreadable, .file = path, .message = "is not a directory"};
}

ExitStatus Recheck(const RecheckArguments& arguments, const CommonArguments& common,
                   const Environment& environment) {
  const std::string certificate =
      arguments.bag ? archive::JoinPath(*arguments.bag, kCertificateInBag) : arguments.certificate;
  const std::string root = arguments.root.value_or(DirectoryOf(certificate));
  for (const auto& directory : {std::optional(root), arguments.copy}) {
    if (!directory) continue;
    if (const auto refusal = RefuseDirectory(environment.storage, *directory)) {
      return FailToRead(environment, *refusal);
    }
  }
  const std::string& name = certificate;
  const auto file = environment.storage.Open(name);
  if (!file) return FailToRead(environment, file.error());
  const Bytes document = (*file)->bytes();
  RecheckSubject subject{name,         Sha256Of(document), {}, !arguments.digests_only,
                         std::nullopt, std::nullopt};
  if (arguments.bag) {
    auto bag = VerifyBag(Tree(environment.storage, root));
    if (!bag) return FailToRead(environment, bag.error());
    subject.bag = *std::move(bag);
  }
  const auto read = ReadCertificateFrom(document, name, MostEntry(arguments.memory.budget()));
  if (!read) return FailToRead(environment, read.error());
  subject.head = read->head;
  std::optional<LoadedPolicy> policy;
  if (arguments.policy) {
    ExitStatus status = ExitStatus::kOk;
    policy = LoadPolicy(*arguments.policy, environment, &status);
    if (!policy) return status;
    policy->policy.file = std::filesystem::path(*arguments.policy).filename().string();
    subject.policy = CertifiedPolicy{{.file = policy->policy.file, .entries = {}, .findings = {}},
                                     policy->sha256};
  } else if (subject.head.policy && !arguments.digests_only) {
    return Fail(environment, ExitStatus::kUsage,
                name + ": archives were judged by the policy " + subject.head.policy->use.file +
                    " (SHA-256 " + ToHex(subject.head.policy->sha256) +
                    "): --policy names it, or another one; --digests-only does without");
  }

  MachineCheck machine(common, environment);
  machine.options.memory = arguments.memory.budget();
  const Tree tree(environment.storage, root);
  std::optional<Tree> copy;
  if (arguments.copy) copy.emplace(environment.storage, *arguments.copy);
  const RecheckRequest request{tree, copy ? &*copy : nullptr, !arguments.digests_only,
                               policy ? &policy->policy : nullptr, machine.options};
  const Severity fail_on = arguments.fail_on.value_or(subject.head.terms.fail_on);
  const std::unique_ptr<RecheckWriter> writer =
      arguments.json ? RecheckJson(environment.catalogue, environment.out)
                     : RecheckText(environment.catalogue, environment.out_screen, common.quiet,
                                   environment.out);
  // On a terminal the text has said it; a script reads it here in any case.
  const bool say_failures =
      arguments.json || !environment.out_screen.terminal || !environment.err_screen.terminal;
  writer->Begin(subject);
  RecheckTotals totals;
  const auto again = RecheckAll(document, name, subject.head, environment.catalogue, request,
                                [&](const ArchiveComparison& archive) {
                                  totals.Add(archive, fail_on);
                                  writer->Archive(archive);
                                  if (archive.failure && say_failures) {
                                    Fail(environment, ExitStatus::kUnreadable,
                                         archive.name + ": " + archive.failure->ToText());
                                  }
                                });
  if (!again) return FailToRead(environment, again.error());
  if ((*file)->lost() || Sha256Of(document) != subject.sha256) {
    return Fail(environment, ExitStatus::kUnreadable,
                name + ": the certificate was changed while it was read");
  }
  writer->End(totals);
  if (totals.archives > 0 && totals.missing == totals.archives) {
    Fail(environment, ExitStatus::kFindings,
         root +
             ": none of the archives is there: ROOT is the directory that the names in the "
             "certificate are relative to");
  }
  if (!environment.out.flush()) {
    return Fail(environment, ExitStatus::kInternal,
                "standard output: the report could not be written");
  }
  const ExitStatus status = totals.Status();
  return status == ExitStatus::kOk && subject.bag && !subject.bag->valid() ? ExitStatus::kFindings
                                                                           : status;
}

class RecheckCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operand("CERT", "A certificate that pmproof certify wrote", &arguments_.certificate);
    options.Add({.kind = Option::Kind::kOperand,
                 .names = {"ROOT"},
                 .help = "The directory to which its names are relative; without it that of CERT",
                 .take = [this](std::string_view text) {
                   arguments_.root = std::string(text);
                   return std::string();
                 }});
    options.Text("--bag", "DIR",
                 "In place of CERT: verify that bag (RFC 8493), and hold its archives against the "
                 "certificate that certify --bag put into it",
                 &arguments_.bag);
    options.Text("--copy", "DIR",
                 "A second copy of ROOT: of each file that is changed, say where it is first other "
                 "than there",
                 &arguments_.copy);
    options
        .Text("--policy", "FILE",
              "Judge again by this policy. It must be given where the certificate names one; it is "
              "said if it is another",
              &arguments_.policy)
        .Excludes({"--digests-only"});
    options.Flag("--digests-only", "Compare digests, and do not judge again",
                 &arguments_.digests_only);
    options.Choice("--fail-on", "SEVERITY",
                   "Exit with 1 where findings of this severity or graver are new or gone; without "
                   "it what the certificate was made with",
                   std::vector<NamedValue<Severity>>{{"error", Severity::kError},
                                                     {"warning", Severity::kWarning},
                                                     {"info", Severity::kInfo}},
                   &arguments_.fail_on);
    options
        .Choice("--format", "FORMAT", "",
                std::vector<NamedValue<bool>>{{"text", false}, {"json", true}}, &arguments_.json)
        .Default("text");
    arguments_.memory.Declare(options, "There is no answer then");
    options.Flag("--schema", "Print the JSON Schema of --format json", &arguments_.print_schema);
    options
        .Notes(
            "Each archive is unchanged, recompressed (the decompressed content is the same), "
            "changed or missing. One whose content is as certified is judged again, by the "
            "profile and the rules of the certificate as they are today. Archives that the "
            "certificate does not name are not looked at. Verify the signature of a certificate "
            "first: this does not.")
        .Examples({"pmproof recheck /archives/2024.cert.json",
                   "pmproof recheck --policy policy.toml kept/cert.json",
                   "pmproof recheck --copy /backup 2024.cert.json /archives",
                   "pmproof recheck --bag /bags/2024"})
        .ExitStatuses(
            "0 all is as certified, or only recompressed; 1 something is changed, missing, new or "
            "judged otherwise, or the bag is not valid; 2 wrong usage, or a policy is wrong or not "
            "given; 4 CERT is missing "
            "or no certificate, or an archive "
            "could not be read; 5 internal error; 6 a memory budget was exceeded. Of several the "
            "first of 5, 4, 6, 1");
  }

  std::string Wrong(const Catalogue&) override {
    if (arguments_.print_schema) return "";
    if (!arguments_.bag) return arguments_.certificate.empty() ? "no CERT given" : "";
    return arguments_.certificate.empty() ? "" : "give CERT or --bag, not both";
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    if (arguments_.print_schema) {
      for (const EmbeddedFile& file : recheck_schema()) environment.out << file.content;
      return ExitStatus::kOk;
    }
    return Recheck(arguments_, common, environment);
  }

 private:
  RecheckArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeRecheck() { return std::make_unique<RecheckCommand>(); }

}  // namespace pmproof::validator
