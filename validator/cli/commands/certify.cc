// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/commands/policy_file.h"
#include "validator/cli/judge_options.h"
#include "validator/cli/report_time.h"
#include "validator/custody/bag.h"
#include "validator/custody/certify.h"
#include "validator/custody/write_bag.h"
#include "validator/output/interruptible_output.h"
#include "validator/output/report_file.h"
#include "validator/policy/policy_judge.h"
#include "validator/schema/certificate_schema.h"
#include "validator/text/display.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

namespace fs = std::filesystem;

struct CertifyArguments {
  std::vector<std::string> archives;
  std::string output;
  std::optional<std::string> root;
  std::optional<std::string> bag;
  JudgeOptions judge;
  std::optional<std::string> policy;
  MemoryOption memory{MemoryOption::Of::kEachArchive};
  bool force = false;
  bool print_schema = false;

  bool to_standard_output() const { return output == "-"; }
};

// The directory that a certificate of that name would lie in.
fs::path DirectoryOfFile(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

// "2023-11-14T22:13:20Z"
std::string SecondsText(Timestamp time) {
  const std::string text = ToIsoText(time);
  return text.substr(0, text.find('.')) + "Z";
}

// The arguments as they are called below the root, or what is wrong with one of them.
Result<std::vector<std::string>> BelowRoot(const std::vector<std::string>& arguments,
                                           const fs::path& root) {
  std::vector<std::string> below;
  for (const std::string& argument : arguments) {
    std::error_code error;
    const fs::path path(argument);
    const bool directory = fs::is_directory(path, error);
    const fs::path real =
        directory ? fs::weakly_canonical(path, error)
                  : fs::weakly_canonical(DirectoryOfFile(argument), error) / path.filename();
    const fs::path relative = real.lexically_relative(root);
    if (error || relative.empty() || relative.begin()->string() == "..") {
      return tl::unexpected(Status{
          .kind = Status::Kind::kUsage,
          .file = argument,
          .message = "is not below " + root.string() +
                     ", to which the names in the certificate are relative: --root names another "
                     "directory"});
    }
    below.push_back(relative.string());
  }
  return below;
}

class CertifyRun {
 public:
  CertifyRun(const CertifyArguments& arguments, const CommonArguments& common,
             const Environment& environment)
      : arguments_(arguments), common_(common), environment_(environment) {}

  ExitStatus Run() {
    MachineCheck machine(common_, environment_);
    const std::optional<Timestamp> created = TimeOfDocument(machine.options.now);
    if (!created) {
      return Fail(environment_, ExitStatus::kUsage,
                  "SOURCE_DATE_EPOCH is not a number of seconds since 1970");
    }
    if (const auto status = LookAtBag()) return *status;
    std::error_code error;
    const fs::path root = fs::canonical(
        arguments_.root ? fs::path(*arguments_.root) : DirectoryOfFile(arguments_.output), error);
    if (error) {
      return Fail(
          environment_, ExitStatus::kUnreadable,
          (arguments_.root ? *arguments_.root : arguments_.output) + ": " + error.message());
    }
    const auto below = BelowRoot(arguments_.archives, root);
    if (!below) return Fail(environment_, ExitStatus::kUsage, below.error().ToText());
    if (const std::string refusal = RefuseCertificate(); !refusal.empty()) {
      return Fail(environment_, ExitStatus::kUsage, refusal);
    }
    std::optional<LoadedPolicy> policy;
    Profile profile = arguments_.judge.profile();
    if (arguments_.policy) {
      ExitStatus status = ExitStatus::kOk;
      policy = LoadPolicy(*arguments_.policy, environment_, &status);
      if (!policy) return status;
      if (!arguments_.judge.has_profile()) profile = policy->policy.profile.value_or(profile);
      std::string wrong = arguments_.judge.WrongIn(profile, environment_.catalogue);
      if (wrong.empty()) wrong = RefusePolicyAsOutput(*arguments_.policy, arguments_.output);
      if (!wrong.empty()) return Fail(environment_, ExitStatus::kUsage, wrong);
      // Where it lies is not recorded, as where the archives lie is not.
      policy->policy.file = fs::path(*arguments_.policy).filename().string();
    }
    if (!arguments_.to_standard_output()) interruption_.emplace();
    auto writer = CertificateWriter::Create(SpoolDirectory());
    if (!writer) return Fail(environment_, ExitStatus::kInternal, writer.error().ToText());

    Terms terms{profile, arguments_.judge.rules(), arguments_.judge.fail_on(),
                arguments_.judge.max_findings()};
    CheckOptions& options = machine.options;
    options.profile = terms.profile;
    options.rules = terms.rules;
    options.max_findings = terms.max_findings;
    options.memory = arguments_.memory.budget();
    // A certificate says what was true at its time.
    options.now = *created;
    std::optional<policy::PolicyJudge> judge;
    if (policy) {
      judge.emplace(policy->policy, options.now);
      options.by_metric = policy::RulesByMetric(policy->policy);
    }
    const Tree tree(environment_.storage, root.string());
    CertifyAll(tree, *below, environment_.catalogue, options, judge ? &*judge : nullptr, *writer,
               {.archive = [this](const ExaminedArchive& archive) { Note(archive); },
                .failure = [this](const Status& failure) { Note(failure); }});
    if (const auto failed = writer->error()) {
      return Fail(environment_, ExitStatus::kInternal, failed->ToText());
    }
    if (writer->totals().files == 0) {
      return Fail(environment_, StatusOr(ExitStatus::kUnreadable),
                  arguments_.output + ": not written: there is no archive to certify");
    }
    CertificateHead head{kVersion, kCatalogueVersion, std::string(environment_.catalogue.digest()),
                         SecondsText(*created), std::move(terms)};
    if (policy) {
      head.policy = CertifiedPolicy{judge->Finish(), policy->sha256};
      Note(head.policy->use);
    }
    if (const auto failed = Write(head, *writer)) return *failed;
    if (makes_bag_) {
      if (const auto failed = MakeBag(*created)) return *failed;
    }
    Say(writer->totals());
    return StatusOr(findings_ ? ExitStatus::kFindings : ExitStatus::kOk);
  }

 private:
  // Of --bag: a status, if it is no directory to be certified.
  std::optional<ExitStatus> LookAtBag() {
    if (!arguments_.bag) return std::nullopt;
    const Tree directory(environment_.storage, *arguments_.bag);
    const auto is_bag = IsBag(directory);
    if (!is_bag) return Fail(environment_, ExitStatus::kUnreadable, is_bag.error().ToText());
    if (!*is_bag) {
      const std::string refusal = RefuseBag(directory, arguments_.force);
      if (!refusal.empty()) return Fail(environment_, ExitStatus::kUsage, refusal);
      makes_bag_ = true;
      return std::nullopt;
    }
    const auto bag = VerifyBag(directory);
    if (!bag) return Fail(environment_, ExitStatus::kUnreadable, bag.error().ToText());
    if (bag->valid()) return std::nullopt;
    for (const std::string& problem : bag->problems) {
      Fail(environment_, ExitStatus::kFindings, problem);
    }
    return Fail(environment_, ExitStatus::kFindings,
                *arguments_.bag + ": not certified: the bag is not valid, " +
                    Plural(bag->problems.size() + bag->more, "problem"));
  }

  std::optional<ExitStatus> MakeBag(Timestamp created) {
    InterruptibleOutput output(archive::MakePosixOutput(),
                               [this] { return interruption_->wished(); });
    const auto error =
        WriteBag(Tree(environment_.storage, *arguments_.bag), output,
                 SecondsText(created).substr(0, 10), std::string("pmproof ") + kVersion);
    if (!error) return std::nullopt;
    (void)output.Remove(arguments_.output);
    return FailToWrite(environment_, *interruption_, ExitStatus::kInternal, error->ToText());
  }

  std::string RefuseCertificate() const {
    if (arguments_.to_standard_output()) return "";
    const std::string& path = arguments_.output;
    if (archive::ParseFileName(fs::path(path).filename().string())) {
      return path + ": is the name of an archive's file: call the certificate otherwise";
    }
    return RefuseReport(environment_.storage, path, arguments_.force);
  }

  // Where the certificate comes to lie there is room for it.
  std::string SpoolDirectory() const {
    std::error_code error;
    const fs::file_status status = fs::status(arguments_.output, error);
    const bool device = fs::exists(status) && !fs::is_regular_file(status);
    if (!arguments_.to_standard_output() && !device) {
      return DirectoryOfFile(arguments_.output).string();
    }
    const fs::path temporary = fs::temp_directory_path(error);
    return error ? "." : temporary.string();
  }

  void Note(const ExaminedArchive& archive) {
    const ArchiveReport& report = *archive.report;
    const std::optional<Severity> worst = Worst(report.counts);
    findings_ = findings_ || (worst && *worst >= arguments_.judge.fail_on());
    NoteFindings(report.unmet);
    internal_ = internal_ || !report.internal_errors.empty();
    for (const std::string& error : report.internal_errors) {
      Fail(environment_, ExitStatus::kInternal, archive.name + ": internal error: " + error);
    }
    if (report.failure) {
      (report.failure->kind == Status::Kind::kBudget ? budget_ : unreadable_) = true;
      Fail(environment_, ExitStatus::kUnreadable,
           archive.name + ": not certified: " + report.failure->ToText());
    } else if (!common_.quiet && (!report.conformant || !report.unmet.empty())) {
      environment_.err << Displayable(archive.name) << ": certified as "
                       << ToText(VerdictOf(report));
      if (!report.unmet.empty()) {
        environment_.err << "; policy: " << Plural(report.unmet.size(), "requirement")
                         << " not met";
      }
      environment_.err << '\n';
    }
  }

  // What the entries of the policy came to.
  void Note(const PolicyUse& use) {
    NoteFindings(use.findings);
    if (common_.quiet) return;
    for (const PolicyFinding& finding : use.findings) {
      environment_.err << Displayable(use.file) << ", line " << finding.line << ": "
                       << ToText(finding.severity) << ' ' << IdOf(finding.check) << ": "
                       << Displayable(finding.message) << '\n';
    }
  }

  void NoteFindings(const std::vector<PolicyFinding>& findings) {
    findings_ = findings_ || std::ranges::any_of(findings, [&](const PolicyFinding& finding) {
                  return finding.severity >= arguments_.judge.fail_on();
                });
  }

  void Note(const Status& failure) {
    unreadable_ = true;
    Fail(environment_, ExitStatus::kUnreadable, failure.ToText());
  }

  std::optional<ExitStatus> Write(const CertificateHead& head, CertificateWriter& writer) {
    std::optional<Status> error;
    if (arguments_.to_standard_output()) {
      error = writer.Write(head, environment_.out);
      if (error) return Fail(environment_, ExitStatus::kInternal, error->ToText());
      if (environment_.out.flush()) return std::nullopt;
      return Fail(environment_, ExitStatus::kInternal,
                  "standard output: the certificate could not be written");
    }
    interruption_->Defer();
    InterruptibleOutput output(archive::MakePosixOutput(),
                               [this] { return interruption_->wished(); });
    std::optional<Status> spooled;
    error = WriteReport(output, arguments_.output, [&](std::ostream& out) {
      spooled = writer.Write(head, out);
      if (spooled) out.setstate(std::ios::failbit);
    });
    if (!error) return std::nullopt;
    return FailToWrite(environment_, *interruption_, ExitStatus::kInternal,
                       (spooled ? *spooled : *error).ToText());
  }

  void Say(const CertificateTotals& totals) const {
    if (common_.quiet) return;
    std::ostream& err = environment_.err;
    err << Displayable(arguments_.output) << ": certificate of "
        << Plural(totals.archives - totals.without_verdict, "archive") << " ("
        << Plural(totals.files, "file") << ", " << ByteSize(totals.bytes)
        << "): " << totals.conformant << " conformant";
    const std::uint64_t others = totals.archives - totals.conformant - totals.without_verdict;
    if (others > 0) err << ", " << others << " not";
    if (totals.without_verdict > 0) err << "; " << totals.without_verdict << " not certified";
    err << '\n';
  }

  // The first of 5, 4, 6 that applies, else `status`.
  ExitStatus StatusOr(ExitStatus status) const {
    if (internal_) return ExitStatus::kInternal;
    if (unreadable_) return ExitStatus::kUnreadable;
    return budget_ ? ExitStatus::kBudget : status;
  }

  const CertifyArguments& arguments_;
  const CommonArguments& common_;
  const Environment& environment_;
  std::optional<Interruption> interruption_;
  bool makes_bag_ = false;  // the directory of --bag becomes one
  bool findings_ = false;
  bool internal_ = false;
  bool unreadable_ = false;
  bool budget_ = false;
};

class CertifyCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operands("ARCHIVE",
                     "Base name, any file of an archive, or a directory: each archive below it",
                     &arguments_.archives);
    options.Text("--output", "CERT", "Write the certificate to this file; - is standard output",
                 &arguments_.output);
    options.Text("--root", "DIR",
                 "The directory to which the names in the certificate are relative; without it "
                 "that of CERT, so that a certificate moves with its tree",
                 &arguments_.root);
    options.Text("--bag", "DIR",
                 "In place of ARCHIVE, CERT and --root: certify the payload DIR/data of a bag (RFC "
                 "8493). The certificate becomes DIR/pmproof-certificate.json. A bag that is there "
                 "must be valid, and is left as it is; a DIR without bagit.txt is made one",
                 &arguments_.bag);
    options.Flag("--force", "Replace a file CERT (never an archive's)", &arguments_.force);
    options
        .Text("--policy", "FILE",
              "Judge by this policy (see pmproof policy check). The certificate has its name and "
              "digest, and recheck is given it again",
              &arguments_.policy)
        .FromSettings();
    arguments_.judge.Declare(options);
    arguments_.memory.Declare(options, "That archive is not certified then");
    options.Flag("--schema", "Print the JSON Schema of a certificate", &arguments_.print_schema);
    options
        .Notes(
            "A certificate is an in-toto Statement: SHA-256 of each file and of its decompressed "
            "content, the verdict, all findings and all that was not checked. recheck holds "
            "archives against it. It is not signed; docs/custody.md shows how openssl, minisign "
            "or cosign do that. SOURCE_DATE_EPOCH in the environment is the time of the "
            "certificate, and then the same archives give the same bytes.")
        .Examples({"pmproof certify --output /archives/2024.cert.json /archives/2024",
                   "pmproof certify --root /archives --output 2024.cert.json /archives/2024/host1",
                   "pmproof certify --policy policy.toml --output kept/cert.json kept",
                   "pmproof certify --bag /bags/2024"})
        .ExitStatuses(
            "0 written, all conformant; 1 written, with findings at or above --fail-on, of rules "
            "or of the policy, or not written, since a bag is not valid; 2 wrong usage, or a "
            "policy is wrong; 4 an input is missing, "
            "unreadable, no PCP archive, or was changed meanwhile: "
            "the others are certified; 5 internal error, or the certificate could not be written; "
            "6 a memory budget was exceeded: the others are certified. Of several the first of 5, "
            "4, 6, 1");
  }

  std::string Wrong(const Catalogue& catalogue) override {
    if (arguments_.print_schema) return "";
    if (arguments_.bag) {
      if (!arguments_.archives.empty() || !arguments_.output.empty() || arguments_.root) {
        return "--bag stands for ARCHIVE, --output and --root";
      }
      arguments_.archives = {archive::JoinPath(*arguments_.bag, "data")};
      arguments_.output = archive::JoinPath(*arguments_.bag, kCertificateInBag);
      arguments_.root = arguments_.bag;
    }
    if (arguments_.archives.empty()) return "no ARCHIVE given";
    if (arguments_.output.empty()) return "--output is required";
    return arguments_.judge.Wrong(catalogue);
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    if (arguments_.print_schema) {
      for (const EmbeddedFile& file : certificate_schema()) environment.out << file.content;
      return ExitStatus::kOk;
    }
    return CertifyRun(arguments_, common, environment).Run();
  }

 private:
  CertifyArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeCertify() { return std::make_unique<CertifyCommand>(); }

}  // namespace pmproof::validator
