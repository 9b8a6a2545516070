// SPDX-License-Identifier: Apache-2.0
#include "validator/policy/policy_judge.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "reference/core/printable.h"
#include "validator/policy/glob.h"
#include "validator/policy/requirements.h"

namespace pmproof::validator::policy {
namespace {

bool Fits(const Place& place, const ArchiveReport& archive) {
  if (place.archive && !MatchesPath(*place.archive, archive.archive)) return false;
  return !place.host || (archive.label && Matches(*place.host, archive.label->host));
}

bool FitsMetric(const Place& place, const std::vector<std::string>& metric) {
  return !place.metric || std::ranges::any_of(metric, [&](const std::string& name) {
    return Matches(*place.metric, name);
  });
}

}  // namespace

PolicyJudge::PolicyJudge(const Policy& policy, Timestamp now) : policy_(policy) {
  use_.file = policy.file;
  for (const Reclassify& entry : policy.reclassify) {
    use_.entries.push_back({.kind = PolicyEntryUse::Kind::kReclassify,
                            .line = entry.line,
                            .what = Describe(entry),
                            .reason = entry.reason,
                            .until = entry.until_text,
                            .expired = entry.until && *entry.until <= now});
  }
  for (const Require& entry : policy.require) {
    use_.entries.push_back({.kind = PolicyEntryUse::Kind::kRequire,
                            .line = entry.line,
                            .what = Describe(entry),
                            .reason = entry.reason,
                            .until = ""});
  }
  std::ranges::stable_sort(use_.entries, {}, &PolicyEntryUse::line);
  for (std::size_t i = 0; i < use_.entries.size(); ++i) {
    const bool reclassifies = use_.entries[i].kind == PolicyEntryUse::Kind::kReclassify;
    (reclassifies ? reclassify_ : require_).push_back(i);
  }
  is_late_.resize(reclassify_.size());
  is_elsewhere_.resize(reclassify_.size());
}

PolicyJudge::Facts PolicyJudge::Read(const ArchiveReport& archive, const archive::Storage& storage,
                                     const std::string& name, const archive::Listings* listings,
                                     const archive::MemoryBudget& memory) const {
  Facts facts;
  if (!archive.members.empty()) return facts;
  std::vector<const Require*> required;
  for (std::size_t i = 0; i < policy_.require.size(); ++i) {
    if (!Fits(policy_.require[i].where, archive)) continue;
    facts.entries.push_back(i);
    required.push_back(&policy_.require[i]);
  }
  if (required.empty() || archive.failure) return facts;
  facts.unmet = FindUnmet(required, storage, name, listings, memory);
  return facts;
}

std::vector<std::size_t> PolicyJudge::Judge(Facts facts, ArchiveReport* archive) {
  NoteWhatWasChecked(*archive);
  ReclassifyIn(archive);
  return Take(std::move(facts), archive);
}

// A part of what a finding stands for.
struct PolicyJudge::Piece {
  std::optional<std::size_t> entry;
  std::uint64_t count = 0;
  const FoldedMetric* first = nullptr;  // by its place
  std::vector<const FoldedMetric*> metrics;
};

void PolicyJudge::ReclassifyIn(ArchiveReport* archive) {
  Entries entries;  // that apply here
  for (std::size_t i = 0; i < reclassify_.size(); ++i) {
    if (Fits(policy_.reclassify[i].where, *archive)) entries.push_back(i);
  }
  if (entries.empty()) return;
  applied_.assign(reclassify_.size(), false);
  std::vector<Finding> findings;
  std::vector<std::size_t> place;  // of each finding as it was
  for (Finding& finding : archive->findings) {
    place.push_back(findings.size());
    for (Finding& piece : Split(entries, finding)) findings.push_back(std::move(piece));
  }
  archive->findings = std::move(findings);
  for (Finding& finding : archive->findings) {
    if (finding.reclassified) {
      CountOf(archive->counts, finding.reclassified->from) -= finding.count;
      CountOf(archive->counts, finding.severity) += finding.count;
    }
    if (finding.follows) finding.follows = place[*finding.follows];
  }
  for (Finding& finding : archive->findings) {
    if (finding.follows && archive->findings[*finding.follows].severity < finding.severity) {
      finding.follows.reset();
    }
  }
  for (const std::size_t i : entries) use_.entries[reclassify_[i]].archives += applied_[i] ? 1 : 0;
  archive->conformant = !archive->failure && archive->readable && archive->counts.error == 0;
}

std::optional<std::size_t> PolicyJudge::EntryFor(const Entries& entries, const Finding& finding,
                                                 const std::vector<std::string>& metric,
                                                 std::uint64_t count) {
  bool taken = false;
  std::optional<std::size_t> applies;
  for (const std::size_t i : entries) {
    const Reclassify& entry = policy_.reclassify[i];
    if (entry.rule != finding.rule) continue;
    if (!FitsMetric(entry.where, metric)) {
      is_elsewhere_[i] = true;
      continue;
    }
    if (taken) {
      is_late_[i] = true;
      continue;
    }
    PolicyEntryUse& use = use_.entries[reclassify_[i]];
    taken = !use.expired;
    if (finding.severity == Severity::kFatal) {
      use.fatal += count;
      continue;
    }
    applied_[i] = true;
    use.findings += count;
    if (!use.expired && finding.severity != entry.severity) applies = i;
  }
  return applies;
}

// What `finding` becomes: itself, or, where the entries tell apart what it stands for, several.
std::vector<Finding> PolicyJudge::Split(const Entries& entries, const Finding& finding) {
  std::map<std::optional<std::size_t>, Piece> pieces;
  const auto add = [&](const std::vector<std::string>& metric, std::uint64_t count) -> Piece& {
    const std::optional<std::size_t> entry = EntryFor(entries, finding, metric, count);
    Piece& piece = pieces[entry];
    piece.entry = entry;
    piece.count += count;
    return piece;
  };
  std::uint64_t rest = finding.count;
  for (const FoldedMetric& metric : finding.folded) {
    rest -= metric.count;
    Piece& piece = add(metric.metric, metric.count);
    piece.metrics.push_back(&metric);
    const auto at = [](const FoldedMetric& one) { return std::pair(one.part, one.offset); };
    if (piece.first == nullptr || at(metric) < at(*piece.first)) piece.first = &metric;
  }
  // What is folded and not told of is about no metric, as far as anybody knows.
  if (rest > 0) add(finding.count == 1 ? finding.metric : std::vector<std::string>(), rest);

  std::vector<Finding> findings;
  for (auto& [entry, piece] : pieces) {
    Finding& part = findings.emplace_back(finding);
    part.folded.clear();
    part.count = piece.count;
    if (entry) {
      const Reclassify& reclassify = policy_.reclassify[*entry];
      part.reclassified = Reclassified{finding.severity, reclassify.line, reclassify.reason};
      part.severity = reclassify.severity;
    }
    if (pieces.size() == 1) continue;
    const bool has_place = std::ranges::any_of(
        piece.metrics, [&](const FoldedMetric* one) { return one->metric == finding.metric; });
    if (has_place || piece.first == nullptr) continue;
    part.file = piece.first->file;
    part.part = piece.first->part;
    part.offset = piece.first->offset;
    part.length = piece.first->length;
    part.record = piece.first->record;
    part.metric = piece.first->metric;
    part.actual = part.expected = "";
    part.message = "findings about " + Printable(piece.first->metric.front());
    if (piece.metrics.size() > 1) {
      part.message += " and " + std::to_string(piece.metrics.size() - 1) +
                      (piece.metrics.size() == 2 ? " more metric" : " more metrics");
    }
  }
  return findings;
}

std::vector<std::size_t> PolicyJudge::Take(Facts facts, ArchiveReport* archive) {
  constexpr const char* kRequired = "what the policy requires";
  std::vector<std::size_t> from;
  if (facts.entries.empty()) return from;
  if (archive->failure) {
    archive->not_checked.push_back({kRequired, "there is no verdict"});
    return from;
  }
  if (!facts.unmet) {
    archive->failure = std::move(facts.unmet.error());
    archive->readable = false;
    archive->conformant = false;
    archive->survival.reset();
    archive->not_checked.push_back({kRequired, archive->failure->message});
    return from;
  }
  for (std::size_t i = 0; i < facts.entries.size(); ++i) {
    PolicyEntryUse& use = use_.entries[require_[facts.entries[i]]];
    ++use.archives;
    use.findings += (*facts.unmet)[i].empty() ? 0 : 1;
    for (PolicyFinding& finding : (*facts.unmet)[i]) {
      from.push_back(require_[facts.entries[i]]);
      archive->unmet.push_back(std::move(finding));
    }
  }
  return from;
}

PolicyUse PolicyJudge::Finish() {
  std::size_t next = 0;  // of Policy::reclassify
  for (const PolicyEntryUse& use : use_.entries) {
    if (use.kind == PolicyEntryUse::Kind::kReclassify) {
      JudgeReclassify(next++);
    } else if (use.archives == 0) {
      Add(PolicyCheck::kUnmatched, Severity::kInfo, use, "fits no archive that has a verdict");
    }
  }
  return std::move(use_);
}

void PolicyJudge::JudgeReclassify(std::size_t entry) {
  const PolicyEntryUse& use = use_.entries[reclassify_[entry]];
  if (use.expired) {
    Add(PolicyCheck::kExpired, Severity::kWarning, use,
        "expired on " + use.until + " and is not applied");
  } else if (use.findings == 0 && WasChecked(policy_.reclassify[entry].rule)) {
    Add(PolicyCheck::kUnmatched, Severity::kInfo, use,
        use.fatal > 0          ? "fits only findings that are fatal, and these stay so"
        : is_late_[entry]      ? "fits only findings that an entry before it has taken"
        : is_elsewhere_[entry] ? "fits no finding: those of the rule are not about such a metric"
                               : "fits no finding");
  }
}

void PolicyJudge::Add(PolicyCheck check, Severity severity, const PolicyEntryUse& use,
                      const std::string& message) {
  use_.findings.push_back({.check = check,
                           .severity = severity,
                           .line = use.line,
                           .message = message + ": " + use.what,
                           .reason = use.reason});
}

void PolicyJudge::NoteWhatWasChecked(const ArchiveReport& archive) {
  if (archive.failure) return;
  ++verdicts_;
  for (const Reclassify& entry : policy_.reclassify) left_out_.try_emplace(entry.rule.ToString());
  for (const NotChecked& item : archive.not_checked) {
    if (const auto found = left_out_.find(item.what); found != left_out_.end()) ++found->second;
  }
}

// What was looked for in no archive can fit nothing.
bool PolicyJudge::WasChecked(Clause rule) const {
  const auto found = left_out_.find(rule.ToString());
  return (found == left_out_.end() ? 0 : found->second) < verdicts_;
}

std::vector<Clause> RulesByMetric(const Policy& policy) {
  std::vector<Clause> rules;
  for (const Reclassify& entry : policy.reclassify) {
    if (entry.where.metric && std::ranges::count(rules, entry.rule) == 0) {
      rules.push_back(entry.rule);
    }
  }
  return rules;
}

}  // namespace pmproof::validator::policy
