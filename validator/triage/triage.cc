// SPDX-License-Identifier: Apache-2.0
#include "validator/triage/triage.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "reference/archive/archive_output.h"
#include "reference/archive/file_set.h"
#include "validator/check/report/finding_text.h"
#include "validator/check/report/reading_order.h"
#include "validator/check/report/survival_text.h"
#include "validator/text/display.h"
#include "validator/triage/directories.h"
#include "validator/triage/listed_storage.h"

namespace pmproof::validator {
namespace {

bool Has(const ArchiveReport& report, Clause rule) {
  return std::ranges::any_of(report.findings,
                             [&](const Finding& finding) { return finding.rule == rule; });
}

// Whole data records that stand somewhere in it.
bool HasRecords(const ArchiveReport& report) {
  if (!report.survival) return report.summary.records > 0;
  return report.survival->readable + report.survival->behind > 0;
}

class Judge {
 public:
  // All outlive this. `listed` is the storage, with its listings remembered.
  Judge(const archive::Storage& storage, const ListedStorage& listed, const Catalogue& catalogue,
        const TriageOptions& options)
      : storage_(storage), listed_(listed), catalogue_(catalogue), options_(options) {}

  Triaged Take(const ArchiveReport& report) const {
    Triaged triaged;
    if (report.label) triaged.host = report.label->host;
    if (!report.internal_errors.empty()) {
      triaged.why = "internal error of pmproof: " + report.internal_errors.front();
      triaged.next = "report this error";
    } else if (report.failure) {
      triaged.why = report.failure->ToText();
      triaged.next = NextOfFailure(*report.failure, report.archive);
    } else {
      triaged.condition = ConditionOf(report);
      if (triaged.condition == Condition::kSound) return triaged;
      triaged.why = Why(report);
      triaged.next = Next(report, triaged.condition);
    }
    return triaged;
  }

 private:
  static std::string NextOfFailure(const Status& failure, const std::string& name) {
    switch (failure.kind) {
      case Status::Kind::kBudget:
        return "pmproof check --memory 4G " + ShellWord(name);
      case Status::Kind::kNotFound:
      case Status::Kind::kUnreadable:
        return "see that its files can be read";
      case Status::Kind::kUnsupported:
      case Status::Kind::kNotAnArchive:
      case Status::Kind::kDamaged:
      case Status::Kind::kUsage:
        break;
    }
    return "look at it: it is no archive of version 2 or 3";
  }

  Condition ConditionOf(const ArchiveReport& report) const {
    if (Has(report, "ARC-1001"_clause) || Has(report, "ARC-1002"_clause)) return Condition::kOrphan;
    if (Has(report, "ARC-1008"_clause)) return Condition::kDuplicate;
    if (report.conformant) return Condition::kSound;
    if (IsLive(report)) return Condition::kLive;
    const bool has_metrics = report.summary.metrics > 0 || IsLabelAloneDamaged(report);
    return has_metrics && HasRecords(report) ? Condition::kSalvageable : Condition::kLost;
  }

  // Of .meta. The records after its label are not looked at then, and may be whole.
  bool IsLabelAloneDamaged(const ArchiveReport& report) const {
    return std::ranges::any_of(report.findings, [&](const Finding& finding) {
      const Rule* rule = catalogue_.Find(finding.rule);
      return finding.part == archive::kMetaPart && finding.severity == Severity::kFatal &&
             rule != nullptr && rule->part == RulePart::kLabel &&
             finding.rule != "ARC-1201"_clause;  // it ends inside the label
    });
  }

  // The same files that a logger which died leaves behind are not live for ever.
  bool IsLive(const ArchiveReport& report) const {
    if (options_.check.profile == Profile::kLive || !ChangedOfLate(report.archive)) return false;
    CheckOptions live = options_.check;
    live.profile = Profile::kLive;
    live.sets = false;
    live.disclose = false;
    live.contents = false;
    const ArchiveReport again = CheckArchive(storage_, report.archive, catalogue_, live);
    return !again.failure && again.conformant;
  }

  bool ChangedOfLate(const std::string& name) const {
    const archive::ArchiveName resolved = archive::ResolveName(listed_, name);
    const auto& entries = listed_.Listed(resolved.directory);
    if (!entries) return false;
    for (const std::string& file : archive::FilesOf(*entries, resolved)) {
      const std::optional<Timestamp> changed = options_.changed(file);
      if (changed && NanosecondsBetween(*changed, options_.check.now) <= options_.live_within) {
        return true;
      }
    }
    return false;
  }

  std::string Why(const ArchiveReport& report) const {
    std::string text;
    const std::vector<RootCause> causes = InReadingOrder(report.findings);
    if (!causes.empty()) {
      const Finding& gravest = report.findings[causes.front().finding];
      text = gravest.rule.ToString() + " " + gravest.file + ": " + MessageOf(gravest, catalogue_);
    }
    if (report.survival) {
      text += (text.empty() ? "" : "; ") + SurvivesText(*report.survival);
    } else if (!HasRecords(report)) {
      text += "; it has no data record";
    }
    return text;
  }

  static std::string Next(const ArchiveReport& report, Condition condition) {
    const std::string name = ShellWord(report.archive);
    switch (condition) {
      case Condition::kUndecided:
      case Condition::kSound:
        return "";
      case Condition::kLost:
        return "look for another copy: pmproof check " + name + " says what is damaged";
      case Condition::kOrphan:
        return Has(report, "ARC-1001"_clause)
                   ? "look for its .meta: nothing else says what the values are"
                   : "look for its volumes: no value is here";
      case Condition::kDuplicate:
        return "pmproof check " + name + " says which files there are: keep one form of each";
      case Condition::kSalvageable:
        return "pmproof salvage " + name + " " + ShellWord(report.archive + ".saved");
      case Condition::kLive:
        return "check it again when its writer has ended";
    }
    return "";
  }

  const archive::Storage& storage_;
  const ListedStorage& listed_;
  const Catalogue& catalogue_;
  const TriageOptions& options_;
};

}  // namespace

TriagedArchive WithFacts(Triaged triaged, const ArchiveReport& report) {
  TriagedArchive archive;
  static_cast<Triaged&>(archive) = std::move(triaged);
  archive.name = report.archive;
  archive.archive_version = report.archive_version;
  archive.summary = report.summary;
  archive.counts = report.counts;
  if (!report.internal_errors.empty()) {
    archive.status = ExitStatus::kInternal;
  } else if (report.failure) {
    archive.status = report.failure->kind == Status::Kind::kBudget ? ExitStatus::kBudget
                                                                   : ExitStatus::kUnreadable;
  }
  return archive;
}

Triage TriageAll(const archive::Storage& storage, const std::vector<std::string>& arguments,
                 const Catalogue& catalogue, const TriageOptions& options, ProgressSink* progress) {
  TriageOptions archival = options;
  archival.check.profile = Profile::kArchival;
  archival.check.sets = false;
  Report report = CheckAll(storage, arguments, catalogue, archival.check, progress);
  // Comma lists are checked as sets too: their archives stand there by themselves.
  std::erase_if(report.archives, [](const ArchiveReport& each) { return !each.members.empty(); });
  Triage triage;
  triage.errors = report.errors;
  const ListedStorage listed(storage);
  const Judge judge(storage, listed, catalogue, archival);
  for (const ArchiveReport& each : report.archives) {
    triage.archives.push_back(WithFacts(judge.Take(each), each));
  }
  for (const Directory& directory : FindDirectories(listed, report.archives)) {
    triage.directories.push_back(
        NeighboursOf(listed, CheckDirectory(listed, directory, catalogue, archival.check),
                     directory.members, archival));
  }
  return triage;
}

std::vector<TriageNote> TriageReport(const archive::Storage& storage, const Report& report,
                                     const Catalogue& catalogue, const TriageOptions& options) {
  const ListedStorage listed(storage);
  const Judge judge(storage, listed, catalogue, options);
  std::map<std::string_view, const ArchiveReport*> archives;
  for (const ArchiveReport& each : report.archives) {
    if (each.members.empty()) archives.emplace(each.archive, &each);
  }
  std::vector<TriageNote> notes;
  for (const ArchiveReport& each : report.archives) {
    TriageNote& note = notes.emplace_back();
    if (each.members.empty()) {
      note.archive = judge.Take(each);
      continue;
    }
    std::vector<const ArchiveReport*> members;
    for (const std::string& name : each.members) members.push_back(archives.at(name));
    note.set = NeighboursOf(listed, each, members, options);
  }
  return notes;
}

ExitStatus ExitStatusOf(const Triage& triage) {
  const auto any = [&](auto&& holds) { return std::ranges::any_of(triage.archives, holds); };
  for (const ExitStatus status :
       {ExitStatus::kInternal, ExitStatus::kUnreadable, ExitStatus::kBudget}) {
    const bool is_input =
        status == ExitStatus::kUnreadable && (!triage.errors.empty() || triage.archives.empty());
    if (is_input || any([&](const TriagedArchive& archive) { return archive.status == status; })) {
      return status;
    }
  }
  const bool all_good = !any([](const TriagedArchive& archive) {
    return archive.condition != Condition::kSound && archive.condition != Condition::kLive;
  });
  return all_good ? ExitStatus::kOk : ExitStatus::kFindings;
}

std::string ShellWord(const std::string& name) {
  static constexpr std::string_view kSafe =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
  if (!name.empty() && name.find_first_not_of(kSafe) == std::string::npos) {
    return name.front() == '-' ? "./" + name : name;
  }
  std::string word = "'";
  for (const char c : Displayable(name)) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

}  // namespace pmproof::validator
