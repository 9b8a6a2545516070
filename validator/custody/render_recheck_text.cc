// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "validator/custody/render_recheck.h"
#include "validator/text/display.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

Style StyleOf(ArchiveState state) {
  switch (state) {
    case ArchiveState::kUnchanged:
    case ArchiveState::kRecompressed:
      return Style::kGreen;
    case ArchiveState::kChanged:
    case ArchiveState::kMissing:
      return Style::kRed;
    case ArchiveState::kNotCertified:
    case ArchiveState::kNoAnswer:
      return Style::kYellow;
  }
  return Style::kPlain;
}

std::string FileLine(const FileComparison& file) {
  std::string line = "  " + Displayable(file.name) + ": ";
  const std::string now = file.now == file.name ? "" : ", now " + Displayable(file.now);
  switch (file.state) {
    case FileState::kUnchanged:
      break;
    case FileState::kRecompressed:
      line += "the same content, compressed otherwise" + now;
      break;
    case FileState::kChanged:
      line += "changed" + now;
      break;
    case FileState::kMissing:
      line += "missing";
      break;
    case FileState::kNew:
      line += "new, not in the certificate";
      break;
  }
  if (file.first_difference) {
    line += "; other than the copy from offset " + std::to_string(*file.first_difference) + " on";
  } else if (!file.no_difference_because.empty()) {
    line += "; " + Displayable(file.no_difference_because);
  }
  return line;
}

class TextWriter final : public RecheckWriter {
 public:
  TextWriter(const Catalogue& catalogue, const Screen& screen, bool quiet, std::ostream& out)
      : catalogue_(catalogue), screen_(screen), quiet_(quiet), out_(out) {}

  void Begin(const RecheckSubject& subject) override {
    if (subject.bag) WriteBag(*subject.bag);
    if (quiet_) return;
    const CertificateHead& head = subject.head;
    out_ << Displayable(subject.file) << ": made " << Displayable(head.created) << " by pmproof "
         << Displayable(head.tool_version) << ", SHA-256 " << ToHex(subject.sha256) << '\n';
    WritePolicy(subject);
    if (head.catalogue_digest == catalogue_.digest()) return;
    out_ << "  the rules have changed since: their catalogue was "
         << Displayable(head.catalogue_version) << " (" << Displayable(head.catalogue_digest)
         << "), and is " << kCatalogueVersion << " (" << catalogue_.digest() << ")\n";
  }

  void Archive(const ArchiveComparison& archive) override {
    const bool as_before = archive.state == ArchiveState::kUnchanged && !archive.failure &&
                           archive.internal_errors.empty() && !archive.JudgedOtherwise();
    if (quiet_ && as_before) return;
    out_ << Displayable(archive.name) << ": "
         << Styled(screen_, StyleOf(archive.state), ToText(archive.state));
    if (archive.state == ArchiveState::kNotCertified) out_ << ": it had no verdict";
    if (archive.now == archive.certified) {
      out_ << (archive.JudgedOtherwise() ? ", judged otherwise, and still " : ", ")
           << ToText(archive.certified);
    } else if (archive.now == Verdict::kNone) {
      out_ << ", no verdict now";
    } else if (archive.now) {
      out_ << ", " << Styled(screen_, Style::kRed, "judged otherwise") << ": "
           << ToText(archive.certified) << " when it was certified, " << ToText(*archive.now)
           << " now";
    }
    out_ << '\n';
    if (archive.failure) out_ << "  " << Displayable(archive.failure->ToText()) << '\n';
    for (const std::string& error : archive.internal_errors) {
      out_ << "  internal error: " << Displayable(error) << '\n';
    }
    if (archive.state == ArchiveState::kMissing) return;
    for (const FileComparison& file : archive.files) {
      if (file.state != FileState::kUnchanged) out_ << FileLine(file) << '\n';
    }
    for (const FindingDifference& difference : archive.differences) WriteDifference(difference);
    for (const UnmetDifference& difference : archive.unmet) WriteDifference(difference);
  }

  void End(const RecheckTotals& totals) override {
    out_ << Plural(totals.archives, "archive") << ": " << totals.unchanged << " unchanged";
    const auto add = [&](std::uint64_t count, const char* what) {
      if (count > 0) out_ << ", " << count << ' ' << what;
    };
    add(totals.recompressed, "recompressed");
    add(totals.changed, "changed");
    add(totals.missing, "missing");
    add(totals.not_certified, "not certified");
    add(totals.no_answer, "without an answer");
    add(totals.without_verdict, "without a verdict now");
    add(totals.judged_otherwise, "judged otherwise");
    out_ << '\n';
  }

 private:
  void WriteBag(const BagCheck& bag) {
    if (bag.valid() && quiet_) return;
    out_ << "bag: "
         << Styled(screen_, bag.valid() ? Style::kGreen : Style::kRed,
                   bag.valid() ? "valid" : "not valid")
         << ", " << Plural(bag.files, "file") << " in its payload";
    for (const std::string& algorithm : bag.algorithms) out_ << ", " << algorithm;
    out_ << '\n';
    for (const std::string& problem : bag.problems) out_ << "  " << Displayable(problem) << '\n';
    if (bag.more > 0) out_ << "  and " << bag.more << " more\n";
  }

  void WritePolicy(const RecheckSubject& subject) {
    const auto text = [](const std::optional<CertifiedPolicy>& policy) {
      return policy ? Displayable(policy->use.file) + " (SHA-256 " + ToHex(policy->sha256) + ")"
                    : std::string("none");
    };
    if (!subject.judges) return;
    if (!subject.SamePolicy()) {
      out_ << "  the policy differs: it was " << text(subject.head.policy) << ", and is "
           << text(subject.policy) << '\n';
    } else if (subject.policy) {
      out_ << "  policy: " << text(subject.policy) << ", the same as then\n";
    }
  }

  void WriteDifference(const UnmetDifference& difference) {
    const PolicyFinding& finding = difference.finding;
    out_ << (difference.is_new ? "  + " : "  - ") << IdOf(finding.check) << ' '
         << ToText(finding.severity) << "  " << Displayable(finding.message)
         << (difference.is_new ? "  [only now]" : "  [only in the certificate]") << '\n';
  }

  void WriteDifference(const FindingDifference& difference) {
    const Finding& finding = difference.finding;
    out_ << (difference.is_new ? "  + " : "  - ") << finding.rule.ToString() << ' '
         << ToText(finding.severity) << "  " << Displayable(finding.file) << " offset "
         << finding.offset;
    if (finding.record > 0) out_ << ", record " << finding.record;
    out_ << ": " << Displayable(finding.message);
    if (finding.count > 1) out_ << " (and more, " << finding.count << " in all)";
    out_ << (difference.is_new ? "  [only now]" : "  [only in the certificate]") << '\n';
  }

  const Catalogue& catalogue_;
  const Screen screen_;
  const bool quiet_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<RecheckWriter> RecheckText(const Catalogue& catalogue, const Screen& screen,
                                           bool quiet, std::ostream& out) {
  return std::make_unique<TextWriter>(catalogue, screen, quiet, out);
}

}  // namespace pmproof::validator
