// SPDX-License-Identifier: Apache-2.0
#include "validator/policy/explain_policy.h"

#include <algorithm>
#include <cstddef>

#include "validator/check/report/render.h"
#include "validator/text/display.h"

namespace pmproof::validator::policy {
namespace {

constexpr std::size_t kMostShown = 5;  // archives of one entry

class Explanation {
 public:
  Explanation(const Report& report, const std::vector<UnmetEntry>& unmet, const Screen& screen,
              std::ostream& out)
      : report_(report), screen_(screen), out_(out), about_(report.policy->findings.begin()) {
    unmet_.resize(report.policy->entries.size());
    for (const UnmetEntry& one : unmet) unmet_[one.entry].push_back(one);
  }

  void Write(const Verdicts& before) {
    const PolicyUse& policy = *report_.policy;
    out_ << Styled(screen_, Style::kBold, Displayable(policy.file)) << ": "
         << Plural(CountOfKind(PolicyEntryUse::Kind::kReclassify), "reclassification") << ", "
         << Plural(CountOfKind(PolicyEntryUse::Kind::kRequire), "requirement") << "; profile "
         << ToText(report_.profile) << '\n';
    for (std::size_t i = 0; i < policy.entries.size(); ++i) {
      WriteEntry(policy.entries[i], unmet_[i]);
    }
    if (report_.archives.empty()) return;
    out_ << "\nwithout the policy: " << before.summary
         << "\nwith it:            " << SummaryLine(report_) << '\n';
    WriteChanges(before);
  }

 private:
  std::uint64_t CountOfKind(PolicyEntryUse::Kind kind) const {
    return static_cast<std::uint64_t>(
        std::ranges::count(report_.policy->entries, kind, &PolicyEntryUse::kind));
  }

  void WriteEntry(const PolicyEntryUse& entry, const std::vector<UnmetEntry>& unmet) {
    const std::string line = std::to_string(entry.line);
    out_ << "\nline " << line << std::string(line.size() < 4 ? 5 - line.size() : 1, ' ')
         << Wrap(Displayable(entry.what), screen_.width, kIndent) << '\n';
    if (!entry.until.empty() || !entry.reason.empty()) {
      WriteLine((entry.until.empty() ? "" : "until " + entry.until) +
                (entry.until.empty() || entry.reason.empty() ? "" : ": ") +
                Displayable(entry.reason));
    }
    // Where nothing is, nothing can fit.
    if (report_.archives.empty()) return WriteFindingAbout(entry, entry.expired);
    if (entry.kind == PolicyEntryUse::Kind::kReclassify) {
      WriteReclassified(entry);
    } else {
      WriteRequired(entry, unmet);
    }
    WriteFindingAbout(entry, true);
  }

  void WriteReclassified(const PolicyEntryUse& entry) {
    if (entry.findings > 0) {
      WriteLine("fits " + Plural(entry.findings, "finding") + " in " +
                Plural(entry.archives, "archive") + (entry.expired ? ", which stay" : ""));
    }
    if (entry.fatal > 0) {
      WriteLine("fits " + Plural(entry.fatal, "finding") + " that are fatal and stay so");
    }
  }

  void WriteRequired(const PolicyEntryUse& entry, const std::vector<UnmetEntry>& unmet) {
    if (entry.archives == 0) return;
    const std::string archives = Plural(entry.archives, "archive");
    if (entry.findings == 0) return WriteLine("is so of " + archives);
    WriteLine("is not so of " + std::to_string(entry.findings) + " of " + archives);
    std::size_t shown = 0;
    for (std::size_t i = 0; i < unmet.size(); ++i) {
      if (i == 0 || unmet[i].archive != unmet[i - 1].archive) ++shown;
      if (shown > kMostShown) break;
      const ArchiveReport& archive = report_.archives[unmet[i].archive];
      const PolicyFinding& finding = archive.unmet[unmet[i].finding];
      WriteFinding(finding, archive.archive + ": " + finding.message);
    }
    if (entry.findings > kMostShown) {
      WriteLine("and " + Plural(entry.findings - kMostShown, "archive") + " more");
    }
  }

  // Findings stand in the order of the entries, one of each at most.
  void WriteFindingAbout(const PolicyEntryUse& entry, bool shown) {
    const std::string end = ": " + entry.what;
    if (about_ == report_.policy->findings.end() || about_->line != entry.line ||
        !about_->message.ends_with(end)) {
      return;
    }
    const PolicyFinding& finding = *about_++;
    if (!shown) return;
    WriteFinding(finding, finding.message.substr(0, finding.message.size() - end.size()));
  }

  void WriteFinding(const PolicyFinding& finding, const std::string& message) {
    const std::string severity = ToText(finding.severity);
    const std::string head =
        severity + std::string(9 - severity.size(), ' ') + IdOf(finding.check) + "  ";
    out_ << std::string(kIndent, ' ') << head
         << Wrap(Displayable(message), screen_.width, kIndent + head.size()) << '\n';
  }

  void WriteLine(const std::string& text) {
    out_ << std::string(kIndent, ' ') << Wrap(text, screen_.width, kIndent) << '\n';
  }

  void WriteChanges(const Verdicts& before) {
    const auto write = [&](bool now, const char* what) {
      for (std::size_t i = 0; i < report_.archives.size(); ++i) {
        const ArchiveReport& archive = report_.archives[i];
        if (archive.failure || archive.conformant != now || before.conformant[i] == now) continue;
        out_ << "  " << what << Displayable(archive.archive) << '\n';
      }
    };
    write(true, "becomes conformant:     ");
    write(false, "is not conformant now:  ");
  }

  static constexpr std::size_t kIndent = 10;  // "line 1234 "

  const Report& report_;
  const Screen& screen_;
  std::ostream& out_;
  std::vector<std::vector<UnmetEntry>> unmet_;        // of each entry
  std::vector<PolicyFinding>::const_iterator about_;  // the next finding about an entry
};

}  // namespace

Verdicts::Verdicts(const Report& report) : summary(SummaryLine(report)) {
  for (const ArchiveReport& archive : report.archives) conformant.push_back(archive.conformant);
}

void ExplainPolicy(const Verdicts& before, const Report& after,
                   const std::vector<UnmetEntry>& unmet, const Screen& screen, std::ostream& out) {
  Explanation(after, unmet, screen, out).Write(before);
}

}  // namespace pmproof::validator::policy
