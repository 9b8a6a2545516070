// SPDX-License-Identifier: Apache-2.0
#include "validator/check/set_check.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "reference/archive/archive_set.h"
#include "reference/archive/loss_watch.h"
#include "reference/archive/set_member.h"
#include "reference/archive/set_metrics.h"
#include "reference/core/printable.h"
#include "validator/check/finding_collector.h"
#include "validator/text/duration.h"

namespace pmproof::validator {
namespace {

using archive::ArchiveSet;
using archive::Details;
using archive::kMetaPart;
using archive::kWholeArchive;
using archive::LayoutOf;
using archive::Location;
using archive::Part;

// Where the label has magic and version, and its start (ARC-100, ARC-101).
constexpr std::uint64_t kVersionField = 4;
constexpr std::uint64_t kStartField = 12;

// What is kept of a member once it has been closed.
struct Facts {
  const ArchiveReport* report = nullptr;
  archive::FileSet files;
  std::optional<archive::ArchiveLabel> label;
  std::optional<Status> error;  // why it cannot be opened
};

// A finding is about one member: while findings are collected, a place is the number of the member
// and which of its files it is in.
enum class Kind : Part { kWhole, kMeta, kLabel };
constexpr Part kKinds = 3;

Part Encoded(std::size_t member, Kind kind) {
  return static_cast<Part>(member) * kKinds + static_cast<Part>(kind);
}

// Hands on what is reported of the .meta file of one member.
class MemberReporter final : public archive::Reporter {
 public:
  MemberReporter(archive::Reporter& reporter, std::size_t member)
      : reporter_(reporter), member_(member) {}

 protected:
  bool Count(Clause, const Location&, archive::Gravity) override { return true; }
  void Keep(Clause rule, const Location& where, archive::Gravity gravity,
            Details details) override {
    Location place = where;
    place.part = Encoded(member_, Kind::kMeta);
    const About about(reporter_, metric());
    reporter_.Report(
        rule, place, [&] { return std::move(details); }, gravity);
  }

 private:
  archive::Reporter& reporter_;
  std::size_t member_;
};

// Nothing is known of an archive that needs too much memory, or that the operating system does not
// let us read.
bool IsUnknown(const Status& error) {
  return error.kind == Status::Kind::kBudget || archive::IsStorageFailure(error);
}

bool StartsEarlier(const CheckedMember& a, const CheckedMember& b) {
  const std::optional<Timestamp>& x = a.report->summary.start;
  const std::optional<Timestamp>& y = b.report->summary.start;
  if (!x || !y) return x && !y;
  return x->Normalised() < y->Normalised();
}

class SetCheck {
 public:
  SetCheck(const archive::Storage& storage, const Catalogue& catalogue, const CheckOptions& options)
      : storage_(storage),
        options_(options),
        collector_(catalogue, options.profile, options.rules, options.max_findings,
                   options.by_metric) {}

  ArchiveReport Run(const std::string& name, std::vector<CheckedMember> members) {
    report_.archive = name;
    for (const CheckedMember& member : members) {
      report_.members.push_back(member.report->archive);
      AddToSummary(*member.report);
    }
    std::stable_sort(members.begin(), members.end(), StartsEarlier);
    std::vector<archive::SetMember> opened;
    for (const CheckedMember& member : members) opened.push_back(Open(member));
    const ArchiveSet set(std::move(opened));
    CheckHealth(set);
    CheckHosts(set);
    CheckTimes(set);
    CheckVersions(set);
    report_.summary.metrics = metrics_.size();
    report_.summary.indoms = indoms_.size();
    Finish();
    return std::move(report_);
  }

 private:
  void AddToSummary(const ArchiveReport& member) {
    Summary& sum = report_.summary;
    const Summary& more = member.summary;
    sum.files += more.files;
    sum.bytes += more.bytes;
    sum.records += more.records;
    sum.values += more.values;
    sum.marks += more.marks;
    sum.volumes += more.volumes;
    sum.index_entries += more.index_entries;
    if (more.start && (!sum.start || *more.start < *sum.start)) sum.start = more.start;
    if (more.finish && (!sum.finish || *more.finish > *sum.finish)) sum.finish = more.finish;
  }

  archive::SetMember Open(const CheckedMember& checked) {
    const ArchiveReport* report = checked.report;
    archive::OpenedMember opened = archive::OpenMember(storage_, *checked.found, LimitsOf(options_),
                                                       options_.memory.Metadata());
    const std::size_t index = facts_.size();
    numbers_[report->archive] = index;
    archive::SetMember member;
    member.name = report->archive;
    if (opened.error) {
      member.error = opened.error->code;
      if (IsUnknown(*opened.error)) report_.failure = opened.error;
    } else {
      member.host = opened.label->host;
      member.start = opened.label->start;
      member.end = report->summary.finish;
      member.breaks_off = !report->readable;
      MemberReporter reporter(collector_, index);
      member.clash = metrics_.Add(report->archive, opened.metadata.descs, reporter);
      for (const auto& indom : opened.metadata.indoms) indoms_.insert(indom.indom);
    }
    facts_.push_back(
        {report, std::move(opened.files), std::move(opened.label), std::move(opened.error)});
    return member;
  }

  std::size_t NumberOf(const archive::SetMember& member) const {
    return numbers_.find(member.name)->second;
  }
  const Facts& FactsOf(const archive::SetMember& member) const { return facts_[NumberOf(member)]; }

  // A field of the member's label.
  Location InLabel(const archive::SetMember& member, std::uint64_t offset,
                   std::uint64_t length) const {
    return {Encoded(NumberOf(member), Kind::kLabel), offset, length, 0};
  }

  // ARC-2107.
  void CheckHealth(const ArchiveSet& set) {
    for (const archive::SetMember& member : set.members()) {
      const Facts& facts = FactsOf(member);
      const bool opens = !facts.error;
      if (!opens) {
        report_.not_checked.push_back({member.name + " against the rest of the set",
                                       "the archive cannot be opened: " + facts.error->ToText()});
        if (IsUnknown(*facts.error)) continue;
      }
      if (opens && facts.report->failure) {
        report_.not_checked.push_back(
            {member.name + " in the set", "it has no verdict: " + facts.report->failure->ToText()});
        continue;
      }
      if (opens && facts.report->readable) continue;
      collector_.Report("ARC-2107"_clause, {Encoded(NumberOf(member), Kind::kWhole), 0, 0, 0}, [&] {
        std::string message;
        if (opens) {
          message =
              "the archive cannot be read to its end: PCP before 7.1.4 stops there, later "
              "versions go on with the next one";
        } else {
          message = "the archive cannot be opened (" + ToText(member.error) + "): ";
          message += archive::IsPassedOver(member.error)
                         ? "PCP before 7.1.4 cannot open the set, later versions pass over it"
                         : "the set cannot be opened";
        }
        return Details{"", WhatIsWrong(facts), "a sound archive", message};
      });
    }
  }

  static std::string WhatIsWrong(const Facts& facts) {
    if (facts.error) return facts.error->ToText();
    for (const Finding& finding : facts.report->findings) {
      if (finding.severity == Severity::kFatal) {
        return finding.rule.ToString() + " in " + finding.file + ": " + finding.message;
      }
    }
    return facts.report->failure ? facts.report->failure->ToText() : "";
  }

  // ARC-2101.
  void CheckHosts(const ArchiveSet& set) {
    for (std::size_t i = 1; i < set.sound(); ++i) {
      const archive::SetMember& first = set.members()[0];
      const archive::SetMember& member = set.members()[i];
      if (member.host == first.host) continue;
      const archive::Layout& layout = LayoutOf(FactsOf(member).label->version);
      collector_.Report(
          "ARC-2101"_clause, InLabel(member, layout.host_field, layout.host_size), [&] {
            return Details{"hostname", Printable(member.host), Printable(first.host),
                           "another host than in " + first.name + ": the set cannot be opened (" +
                               ToText(ErrorCode::kLogHost) + ")"};
          });
    }
  }

  // ARC-2102, ARC-2103, ARC-2109.
  void CheckTimes(const ArchiveSet& set) {
    const auto report = [&](Clause rule, const ArchiveSet::Pair& pair, auto&& describe) {
      const archive::SetMember& later = set.members()[pair.later];
      const std::size_t size = LayoutOf(FactsOf(later).label->version).timestamp;
      collector_.Report(rule, InLabel(later, kStartField, size),
                        [&] { return describe(set.members()[pair.earlier], later); });
    };
    for (const ArchiveSet::Pair& pair : set.EqualStarts()) {
      report("ARC-2103"_clause, pair, [](const auto& earlier, const auto& later) {
        return Details{"start", ToIsoText(later.start), "another start than " + earlier.name,
                       "two archives begin at the same time: the set cannot be opened (" +
                           ToText(ErrorCode::kLogOverlap) + ")"};
      });
    }
    for (const ArchiveSet::Pair& pair : set.Overlaps()) {
      report("ARC-2102"_clause, pair, [](const auto& earlier, const auto& later) {
        return Details{"start", ToIsoText(later.start),
                       "at or after the end of " + earlier.name + ", " + ToIsoText(*earlier.end),
                       "the archive begins " +
                           DurationText(NanosecondsBetween(later.start, *earlier.end)) +
                           " before " + earlier.name + " ends"};
      });
    }
    for (const ArchiveSet::Pair& pair : set.Gaps()) {
      report("ARC-2109"_clause, pair, [](const auto& earlier, const auto& later) {
        return Details{"start", ToIsoText(later.start),
                       "the end of " + earlier.name + ", " + ToIsoText(*earlier.end),
                       "the archive begins " +
                           DurationText(NanosecondsBetween(*earlier.end, later.start)) +
                           " after the end of " + earlier.name};
      });
    }
    for (std::size_t i = 0; i + 1 < set.sound(); ++i) {
      if (set.members()[i].end) continue;
      report_.not_checked.push_back({"ARC-2102 and ARC-2109 after " + set.members()[i].name,
                                     "the time of its last record is not known"});
    }
  }

  // ARC-2108: against the member before, so that each change is told once.
  void CheckVersions(const ArchiveSet& set) {
    for (std::size_t i = 1; i < set.sound(); ++i) {
      const archive::SetMember& member = set.members()[i];
      const archive::ArchiveLabel& is = *FactsOf(member).label;
      const archive::ArchiveLabel& was = *FactsOf(set.members()[i - 1]).label;
      const bool version = is.version != was.version;
      if (!version && is.timezone == was.timezone) continue;
      const archive::Layout& layout = LayoutOf(is.version);
      const Location where = version ? InLabel(member, kVersionField, 4)
                                     : InLabel(member, layout.timezone_field, layout.timezone_size);
      collector_.Report("ARC-2108"_clause, where, [&] {
        Details details;
        details.message = "differs from " + set.members()[i - 1].name;
        if (version) {
          details.field = "version";
          details.actual = std::to_string(is.version);
          details.expected = std::to_string(was.version);
        }
        if (is.timezone != was.timezone) {
          details.field += version ? ", timezone" : "timezone";
          details.actual += (version ? ", " : "") + Printable(is.timezone);
          details.expected += (version ? ", " : "") + Printable(was.timezone);
        }
        return details;
      });
    }
  }

  // The path of a file of a member; its name for the whole of it.
  std::string PathOf(const Facts& facts, Part part) const {
    if (part == kWholeArchive) return facts.report->archive;
    return archive::JoinPath(facts.files.directory, facts.files.FileName(part));
  }

  Part PartOf(Part encoded) const {
    const Facts& facts = facts_[static_cast<std::size_t>(encoded / kKinds)];
    switch (static_cast<Kind>(encoded % kKinds)) {
      case Kind::kMeta:
        return kMetaPart;
      case Kind::kLabel:
        return facts.files.parts.lower_bound(0)->first;
      case Kind::kWhole:
        break;
    }
    return kWholeArchive;
  }

  void Finish() {
    std::vector<validator::NotChecked> own = std::exchange(report_.not_checked, {});
    collector_.Finish(
        [this](Part encoded) {
          return PathOf(facts_[static_cast<std::size_t>(encoded / kKinds)], PartOf(encoded));
        },
        [this](Pmid metric) { return metrics_.NamesOf(metric); }, report_);
    for (Finding& finding : report_.findings) {
      finding.part = PartOf(finding.part);
      for (FoldedMetric& metric : finding.folded) metric.part = PartOf(metric.part);
    }
    report_.not_checked.insert(report_.not_checked.begin(), own.begin(), own.end());
    std::set<int> versions;
    for (const Facts& facts : facts_) {
      if (facts.label) versions.insert(facts.label->version);
    }
    if (versions.size() == 1) report_.archive_version = *versions.begin();
    if (const std::optional<Status> loss = storage_.loss()) {
      report_.findings.clear();
      report_.counts = {};
      report_.failure = loss;
    }
    if (report_.failure) {
      report_.readable = false;
      report_.conformant = false;
    }
  }

  const archive::LossWatch storage_;
  const CheckOptions& options_;
  FindingCollector collector_;
  std::vector<Facts> facts_;
  std::map<std::string, std::size_t, std::less<>> numbers_;  // of the members in facts_, by name
  archive::SetMetrics metrics_;
  std::set<Indom> indoms_;
  ArchiveReport report_;
};

}  // namespace

bool ChecksSets(const Catalogue& catalogue, const CheckOptions& options) {
  return std::any_of(catalogue.entries().begin(), catalogue.entries().end(), [&](const Rule& rule) {
    return rule.part == RulePart::kSet && options.rules.Selects(rule) && rule.In(options.profile);
  });
}

ArchiveReport CheckSet(const archive::Storage& storage, const std::string& name,
                       const std::vector<CheckedMember>& members, const Catalogue& catalogue,
                       const CheckOptions& options) {
  return SetCheck(storage, catalogue, options).Run(name, members);
}

}  // namespace pmproof::validator
