// SPDX-License-Identifier: Apache-2.0
#include "validator/check/finding_collector.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace pmproof::validator {
namespace {

using archive::Gravity;
using archive::Location;
using archive::Part;

constexpr std::size_t kSeverityCount = 4;
constexpr std::size_t kGravityCount = 5;

// The order of parts in a report: what concerns no single file, .meta, the volumes, .index.
std::int64_t Rank(Part part) {
  if (part == archive::kIndexPart) return std::numeric_limits<std::int64_t>::max();
  if (part == archive::kWholeArchive) return -2;
  return part;
}

// Findings in a volume or in .meta say in which record they are.
bool HasRecords(Part part) { return part >= 0 || part == archive::kMetaPart; }

bool IsBefore(const Location& a, const Location& b) {
  if (a.part != b.part) return Rank(a.part) < Rank(b.part);
  return a.offset < b.offset;
}

// The severity of a violation, given that of its rule in the profile.
Severity SeverityOf(Gravity gravity, Severity catalogued) {
  switch (gravity) {
    case Gravity::kAsCatalogued:
      return catalogued;
    case Gravity::kFatal:
      return Severity::kFatal;
    case Gravity::kError:
      return Severity::kError;
    case Gravity::kWarning:
      return Severity::kWarning;
    case Gravity::kInfo:
      return Severity::kInfo;
  }
  return catalogued;
}

}  // namespace

struct FindingCollector::Kept {
  Location where;
  std::uint64_t arrival = 0;
  std::optional<Pmid> metric;
  archive::Details details;

  // Earlier in the report.
  friend bool operator<(const Kept& a, const Kept& b) {
    if (IsBefore(a.where, b.where)) return true;
    return !IsBefore(b.where, a.where) && a.arrival < b.arrival;
  }
};

// Of one metric.
struct FindingCollector::Tallied {
  std::uint64_t count = 0;
  Location last;
};

// The violations of one rule and severity.
struct FindingCollector::Bin {
  Clause rule;
  std::uint64_t count = 0;
  std::vector<Kept> kept;           // a heap, the latest place on top
  std::map<Pmid, Tallied> tallies;  // of rules that are counted by metric

  // Adds `count` violations about a metric, the last of them at `where`. Which metrics are kept
  // depends on nothing but which there are: one that is given up does not come back.
  void Tally(Pmid metric, std::uint64_t more, const Location& where) {
    Tallied& tallied = tallies[metric];
    if (tallied.count == 0 || IsBefore(tallied.last, where)) tallied.last = where;
    tallied.count += more;
    if (tallies.size() > kMostMetrics) tallies.erase(std::prev(tallies.end()));
  }
};

struct FindingCollector::Settings {
  const Catalogue* catalogue;
  Profile profile;
  RuleSelection selection;
  std::uint64_t max_findings;
  std::vector<Clause> by_metric;  // ascending

  // How to count a rule's violations, by the rule's number for rules of archives, which are
  // reported by the million; other chapters go through the map.
  struct Slot {
    std::uint32_t bin = 0;  // of the lowest severity; 0 for a rule that is not in the catalogue
    bool off = false;
    Severity severity = Severity::kError;
    // The rule's `also`, where the profile is more lenient with the rule: it is so in those cases
    // too.
    std::optional<Severity> lenient_also;
    std::array<std::uint32_t, kGravityCount> bins{};  // by gravity

    Severity Of(Gravity gravity) const {
      const Severity named = SeverityOf(gravity, severity);
      return named == lenient_also ? std::min(named, severity) : named;
    }
  };
  std::vector<Slot> archive_rules;
  std::unordered_map<Clause, Slot> other_rules;
  std::size_t bin_count = 1;

  const Slot* Find(Clause rule) const {
    if (rule.chapter() == Clause::Chapter::kArc) {
      if (rule.number() >= archive_rules.size()) return nullptr;
      const Slot* slot = &archive_rules[rule.number()];
      return slot->bin == 0 ? nullptr : slot;
    }
    const auto found = other_rules.find(rule);
    return found == other_rules.end() ? nullptr : &found->second;
  }
};

FindingCollector::FindingCollector(const Catalogue& catalogue, Profile profile,
                                   const RuleSelection& selection, std::uint64_t max_findings,
                                   std::vector<Clause> by_metric) {
  auto settings = std::make_shared<Settings>();
  settings->catalogue = &catalogue;
  settings->profile = profile;
  settings->selection = selection;
  settings->max_findings = max_findings;
  std::ranges::sort(by_metric);
  settings->by_metric = std::move(by_metric);
  for (const Rule& rule : catalogue.entries()) {
    Settings::Slot slot;
    slot.bin = static_cast<std::uint32_t>(settings->bin_count);
    slot.off = !rule.In(profile) || !selection.Selects(rule);
    slot.severity = rule.In(profile).value_or(rule.severity);
    if (slot.severity < rule.severity) slot.lenient_also = rule.also;
    for (std::size_t i = 0; i < kGravityCount; ++i)
      slot.bins[i] = slot.bin + static_cast<std::uint32_t>(slot.Of(static_cast<Gravity>(i)));
    settings->bin_count += kSeverityCount;
    if (rule.id.chapter() == Clause::Chapter::kArc) {
      if (settings->archive_rules.size() <= rule.id.number()) {
        settings->archive_rules.resize(rule.id.number() + std::size_t{1});
      }
      settings->archive_rules[rule.id.number()] = slot;
    } else {
      settings->other_rules.emplace(rule.id, slot);
    }
  }
  settings_ = std::move(settings);
}

FindingCollector::FindingCollector(FindingCollector&&) noexcept = default;
FindingCollector& FindingCollector::operator=(FindingCollector&&) noexcept = default;
FindingCollector::~FindingCollector() = default;

FindingCollector::FindingCollector(std::shared_ptr<const Settings> settings)
    : settings_(std::move(settings)) {}

FindingCollector FindingCollector::Fresh() const { return FindingCollector(settings_); }

// Null if the rule is off.
FindingCollector::Bin* FindingCollector::BinOf(Clause rule, Gravity gravity) {
  const Settings::Slot* slot = settings_->Find(rule);
  if (slot == nullptr) {
    for (Bin& bin : unknown_) {
      if (bin.rule == rule) return &bin;
    }
    unknown_.emplace_back().rule = rule;
    return &unknown_.back();
  }
  if (slot->off) return nullptr;
  return &BinAt(slot->bins[static_cast<std::size_t>(gravity)]);
}

FindingCollector::Bin& FindingCollector::BinAt(std::size_t slot) {
  if (places_.empty()) places_.resize(settings_->bin_count);
  std::uint16_t& place = places_[slot];
  if (place == 0) {
    bins_.emplace_back();
    place = static_cast<std::uint16_t>(bins_.size());
  }
  return bins_[place - std::size_t{1}];
}

bool FindingCollector::Count(Clause rule, const Location& where, Gravity gravity) {
  Bin* bin = BinOf(rule, gravity);
  if (bin == nullptr) return false;
  ++bin->count;
  ++arrivals_;
  if (!settings_->by_metric.empty()) Tally(*bin, rule, 1, where);
  return MayKeep(*bin, where);
}

bool FindingCollector::CountOnly(Clause rule, std::uint64_t count, const Location& first,
                                 const Location& last) {
  Bin* const bin = BinOf(rule, Gravity::kAsCatalogued);
  if (bin == nullptr) return true;
  if (MayKeep(*bin, first)) return false;
  bin->count += count;
  arrivals_ += count;
  if (!settings_->by_metric.empty()) Tally(*bin, rule, count, last);
  return true;
}

// True if a violation at `where` is among the first so far.
bool FindingCollector::MayKeep(const Bin& bin, const Location& where) const {
  if (bin.kept.size() <= settings_->max_findings) return true;
  const Location& latest = bin.kept.front().where;
  if (where.part == latest.part) return where.offset < latest.offset;
  return Rank(where.part) < Rank(latest.part);
}

void FindingCollector::Tally(Bin& bin, Clause rule, std::uint64_t count, const Location& last) {
  if (metric() && std::ranges::binary_search(settings_->by_metric, rule)) {
    bin.Tally(*metric(), count, last);
  }
}

void FindingCollector::Keep(Clause rule, const Location& where, Gravity gravity,
                            archive::Details details) {
  if (Bin* bin = BinOf(rule, gravity))
    Insert(*bin, {where, arrivals_, metric(), std::move(details)});
}

void FindingCollector::Insert(Bin& bin, Kept kept) {
  bin.kept.push_back(std::move(kept));
  std::push_heap(bin.kept.begin(), bin.kept.end());
  // One more than max_findings: the last stands for all that follow.
  if (bin.kept.size() > settings_->max_findings && bin.kept.size() - 1 > settings_->max_findings) {
    std::pop_heap(bin.kept.begin(), bin.kept.end());
    bin.kept.pop_back();
  }
}

void FindingCollector::Merge(FindingCollector&& other, std::uint64_t records_before) {
  const auto merge = [&](Bin& bin, Bin& from) {
    bin.count += from.count;
    for (Kept& kept : from.kept) {
      kept.arrival += arrivals_;
      if (HasRecords(kept.where.part)) kept.where.record += records_before;
      Insert(bin, std::move(kept));
    }
    for (auto& [metric, tallied] : from.tallies) {
      if (HasRecords(tallied.last.part)) tallied.last.record += records_before;
      bin.Tally(metric, tallied.count, tallied.last);
    }
  };
  for (std::size_t i = 0; i < other.places_.size(); ++i) {
    if (other.places_[i] != 0) merge(BinAt(i), other.BinAt(i));
  }
  for (Bin& bin : other.unknown_) merge(*BinOf(bin.rule, Gravity::kAsCatalogued), bin);
  arrivals_ += other.arrivals_;
  other = other.Fresh();
}

Counts FindingCollector::counts() const {
  std::array<std::uint64_t, kSeverityCount> sums{};
  for (std::size_t i = 1; i < places_.size(); ++i) {
    if (places_[i] != 0) sums[(i - 1) % kSeverityCount] += bins_[places_[i] - std::size_t{1}].count;
  }
  for (const Bin& bin : unknown_) sums[static_cast<std::size_t>(Severity::kInfo)] += bin.count;
  return {.fatal = sums[3], .error = sums[2], .warning = sums[1], .info = sums[0]};
}

bool FindingCollector::Has(Clause rule) const {
  const Settings::Slot* slot = settings_->Find(rule);
  if (slot == nullptr || places_.empty()) return false;
  const auto first = places_.begin() + slot->bin;
  return std::any_of(first, first + kSeverityCount, [&](std::uint16_t place) {
    return place != 0 && bins_[place - std::size_t{1}].count > 0;
  });
}

void FindingCollector::Finish(const std::function<std::string(Part)>& file_name,
                              const std::function<std::vector<std::string>(Pmid)>& metric_names,
                              ArchiveReport& report) {
  struct Ordered {
    Kept kept;
    Clause rule;
    Severity severity;
    std::uint64_t count;
    std::vector<FoldedMetric> folded;
  };
  const auto names_of = [&](Pmid metric) {
    std::vector<std::string> names = metric_names(metric);
    if (names.empty()) names.push_back(ToText(metric));
    return names;
  };
  // What is left of the tallies without the violations that stand for themselves.
  const auto folded = [&](Bin& bin) {
    std::vector<FoldedMetric> list;
    for (std::size_t i = 0; i < settings_->max_findings; ++i) {
      const auto found =
          bin.kept[i].metric ? bin.tallies.find(*bin.kept[i].metric) : bin.tallies.end();
      if (found != bin.tallies.end()) --found->second.count;
    }
    for (const auto& [metric, tallied] : bin.tallies) {
      if (tallied.count == 0) continue;
      list.push_back({.metric = names_of(metric),
                      .count = tallied.count,
                      .file = file_name(tallied.last.part),
                      .part = tallied.last.part,
                      .offset = tallied.last.offset,
                      .length = tallied.last.length,
                      .record = tallied.last.record});
    }
    return list;
  };
  std::vector<Ordered> all;
  const auto take = [&](Bin& bin, Clause rule, Severity severity) {
    std::sort_heap(bin.kept.begin(), bin.kept.end());
    std::vector<FoldedMetric> rest;
    if (bin.count > settings_->max_findings + 1) rest = folded(bin);
    for (std::size_t i = 0; i < bin.kept.size(); ++i) {
      const bool is_last = i == settings_->max_findings;
      const std::uint64_t count = is_last ? bin.count - i : 1;
      all.push_back({std::move(bin.kept[i]), rule, severity, count, {}});
      if (is_last) all.back().folded = std::move(rest);
    }
  };
  for (std::size_t i = 1; i < places_.size(); ++i) {
    if (places_[i] == 0) continue;
    const Rule& rule = settings_->catalogue->entries()[(i - 1) / kSeverityCount];
    take(BinAt(i), rule.id, static_cast<Severity>((i - 1) % kSeverityCount));
  }
  for (Bin& bin : unknown_) {
    report.internal_errors.push_back("a violation of " + bin.rule.ToString() +
                                     " was reported, which is not a rule of the catalogue");
    for (Kept& kept : bin.kept) {
      kept.details.message += " (internal error of pmproof: this rule is not in its catalogue)";
    }
    take(bin, bin.rule, Severity::kInfo);
  }
  std::sort(all.begin(), all.end(), [](const Ordered& a, const Ordered& b) {
    const Location& x = a.kept.where;
    const Location& y = b.kept.where;
    if (x.part != y.part) return Rank(x.part) < Rank(y.part);
    if (x.offset != y.offset) return x.offset < y.offset;
    if (a.rule != b.rule) return a.rule < b.rule;
    if (a.severity != b.severity) return a.severity > b.severity;
    return a.kept.arrival < b.kept.arrival;
  });
  for (Ordered& ordered : all) {
    const Location& where = ordered.kept.where;
    archive::Details& details = ordered.kept.details;
    report.findings.push_back({.rule = ordered.rule,
                               .severity = ordered.severity,
                               .file = file_name(where.part),
                               .part = where.part,
                               .offset = where.offset,
                               .length = where.length,
                               .record = where.record,
                               .field = std::move(details.field),
                               .actual = std::move(details.actual),
                               .expected = std::move(details.expected),
                               .message = std::move(details.message),
                               .count = ordered.count,
                               .folded = std::move(ordered.folded)});
    if (ordered.kept.metric) report.findings.back().metric = names_of(*ordered.kept.metric);
  }
  report.counts = counts();
  report.readable = report.counts.fatal == 0;
  report.conformant = report.readable && report.counts.error == 0;
  std::vector<NotChecked> left_out =
      LeftOut(*settings_->catalogue, settings_->selection, settings_->profile);
  report.not_checked.insert(report.not_checked.end(), left_out.begin(), left_out.end());
  *this = Fresh();
}

}  // namespace pmproof::validator
