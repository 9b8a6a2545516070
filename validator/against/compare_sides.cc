// SPDX-License-Identifier: Apache-2.0
#include "validator/against/compare_sides.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "validator/against/compare_marks.h"
#include "validator/against/compare_texts.h"
#include "validator/against/difference_log.h"
#include "validator/against/domain_pair.h"
#include "validator/against/instant_reader.h"
#include "validator/against/label_pair.h"
#include "validator/against/metric_pairs.h"

namespace pmproof::validator::against {
namespace {

// Records of one time, of what a side may take.
constexpr std::size_t kInstantShare = 16;

// True if all that these labels of the context say is what readers make up where an archive has
// none (ARC-402).
bool AreMadeUp(const LabelPair::Records& records, const std::string& host) {
  const std::string made_up = "{\"hostname\":\"" + host + "\"}";
  bool all = true;
  for (const archive::LabelRecord* record : records) {
    record->ForEachSet([&](const archive::LabelSet& set) { all = all && set.json == made_up; });
  }
  return all;
}

const std::string& HostOf(const Side& side) { return side.members().front().opened.label->host; }

// The instance domains and labels of both sides, tied to the metrics whose values they explain.
class Explanations {
 public:
  Explanations(const Side& original, const Side& replacement, MetricPairs& metrics,
               DifferenceLog& log)
      : metrics_(metrics) {
    MakeDomains(original, replacement, log);
    MakeLabels(original, replacement, log);
    for (auto& [pmid, pair] : metrics.all()) Tie(pair);
  }

  std::optional<std::string_view> NameOf(const MetricPair& metric, std::int32_t instance,
                                         Timestamp time) {
    for (const SideMetric* side : {metric.original, metric.replacement}) {
      if (side == nullptr) continue;
      const Indom indom = side->descriptor.indom;
      const auto domain =
          domains_.find(side == metric.original ? indom : metrics_.InOriginal(indom));
      if (domain == domains_.end()) continue;
      if (const auto name = domain->second.NameAt(instance, time)) return name;
    }
    return std::nullopt;
  }

  void End() {
    for (auto& [indom, domain] : domains_) {
      domain.End();
      domain.LogNeverSeen();
    }
    for (auto& [subject, labels] : labels_) {
      labels.End();
      labels.LogNeverSeen();
    }
  }

 private:
  void MakeDomains(const Side& original, const Side& replacement, DifferenceLog& log) {
    const auto was = CollectDomains(original, kAsItIs);
    const auto is =
        CollectDomains(replacement, [this](Indom indom) { return metrics_.InOriginal(indom); });
    std::set<Indom> all;
    for (const auto* side : {&was, &is}) {
      for (const auto& [indom, records] : *side) all.insert(indom);
    }
    for (const Indom indom : all) {
      if (!metrics_.indoms().Remain(indom.value)) continue;
      const auto before = was.find(indom);
      const auto after = is.find(indom);
      domains_.try_emplace(indom, indom, before == was.end() ? kNoDomain : before->second,
                           after == is.end() ? kNoDomain : after->second, log);
    }
  }

  void MakeLabels(const Side& original, const Side& replacement, DifferenceLog& log) {
    const auto was = CollectLabels(original, kAsItIs);
    const auto is =
        CollectLabels(replacement, [this](auto number) { return metrics_.InOriginal(number); });
    std::set<LabelSubject> all;
    for (const auto* side : {&was, &is}) {
      for (const auto& [subject, records] : *side) all.insert(subject);
    }
    for (const LabelSubject& subject : all) {
      if (!Remains(subject)) continue;
      const auto before = was.find(subject);
      const auto after = is.find(subject);
      if (subject.label_class == LabelClass::kContext) {
        if (after == is.end() && AreMadeUp(before->second, HostOf(replacement))) continue;
        if (before == was.end() && AreMadeUp(after->second, HostOf(original))) continue;
      }
      labels_.try_emplace(subject, subject, NameOf(subject),
                          before == was.end() ? kNoLabels : before->second,
                          after == is.end() ? kNoLabels : after->second, log);
    }
  }

  // False if all that the labels are of came or went.
  bool Remains(const LabelSubject& subject) const {
    switch (subject.label_class) {
      case LabelClass::kContext:
        return true;
      case LabelClass::kDomain:
        return metrics_.domains().Remain(subject.identifier);
      case LabelClass::kIndom:
      case LabelClass::kInstances:
        return metrics_.indoms().Remain(subject.identifier);
      case LabelClass::kCluster:
        return metrics_.clusters().Remain(subject.identifier);
      case LabelClass::kItem:
        return metrics_.metrics().Remain(subject.identifier);
    }
    return true;
  }

  std::string NameOf(const LabelSubject& subject) const {
    switch (subject.label_class) {
      case LabelClass::kContext:
        return "context";
      case LabelClass::kDomain:
        return "domain " + std::to_string(subject.identifier);
      case LabelClass::kIndom:
        return "instance domain " + ToText(Indom{subject.identifier});
      case LabelClass::kInstances:
        return "instances of " + ToText(Indom{subject.identifier});
      case LabelClass::kCluster: {
        const Pmid cluster{subject.identifier};
        return "cluster " + std::to_string(cluster.domain()) + "." +
               std::to_string(cluster.cluster());
      }
      case LabelClass::kItem: {
        const auto metric = metrics_.all().find(Pmid{subject.identifier});
        return metric == metrics_.all().end() ? ToText(Pmid{subject.identifier})
                                              : metric->second.Name();
      }
    }
    return ToText(subject.label_class) + " " + std::to_string(subject.identifier);
  }

  void Tie(MetricPair& pair) {
    const auto tie = [&](LabelClass label_class, std::uint32_t identifier) {
      const auto labels = labels_.find({label_class, identifier});
      if (labels != labels_.end()) pair.subjects.push_back(&labels->second);
    };
    tie(LabelClass::kContext, 0xffffffff);
    tie(LabelClass::kDomain, pair.pmid.domain());
    tie(LabelClass::kCluster, pair.pmid.value & ~0x3ffU);
    tie(LabelClass::kItem, pair.pmid.value);
    if (pair.original == nullptr) return;
    const Indom indom = pair.original->descriptor.indom;
    tie(LabelClass::kIndom, indom.value);
    tie(LabelClass::kInstances, indom.value);
    const auto domain = domains_.find(indom);
    if (domain != domains_.end()) pair.subjects.push_back(&domain->second);
  }

  static constexpr auto kAsItIs = [](auto number) { return number; };
  inline static const DomainPair::Records kNoDomain{};
  inline static const LabelPair::Records kNoLabels{};
  MetricPairs& metrics_;
  std::map<Indom, DomainPair> domains_;
  std::map<LabelSubject, LabelPair> labels_;
};

// Compares the records of both sides, time by time.
std::optional<Status> CompareRecords(const archive::Storage& storage, const Side& original,
                                     const Side& replacement, const archive::MemoryBudget& half,
                                     MetricPairs& metrics, DifferenceLog& log,
                                     const NameInstance& name, Comparison* comparison) {
  ValueComparison values(metrics, log, name);
  MarkComparison marks(original, replacement, log);
  const std::size_t most = half.bytes() / kInstantShare;
  InstantReader reader(storage, original, half.Reading(), most);
  InstantReader reader_instead(storage, replacement, half.Reading(), most);
  auto next = reader.Next();
  auto next_instead = reader_instead.Next();
  while (true) {
    if (!next) return next.error();
    if (!next_instead) return next_instead.error();
    const Instant* before = *next;
    const Instant* after = *next_instead;
    if (before == nullptr && after == nullptr) break;
    if (before != nullptr && after != nullptr && before->at != after->at) {
      (before->at < after->at ? after : before) = nullptr;
    }
    if (before != nullptr) {
      if (!comparison->first) comparison->first = before->at;
      comparison->last = before->at;
    }
    if (auto error = values.Compare(before, after)) return error;
    marks.Compare(before, after);
    if (before != nullptr) next = reader.Next();
    if (after != nullptr) next_instead = reader_instead.Next();
  }
  marks.End();
  comparison->original = values.original();
  comparison->replacement = values.replacement();
  comparison->repeated = values.repeated();
  return std::nullopt;
}

}  // namespace

Result<Comparison> CompareSides(const archive::Storage& storage, const Side& original,
                                const Side& replacement, const archive::MemoryBudget& budget,
                                std::size_t examples, bool reduced) {
  const archive::MemoryBudget half(budget.bytes() / 2);
  const std::map<Pmid, SideMetric> was = original.Metrics();
  const std::map<Pmid, SideMetric> is = replacement.Metrics();
  MetricPairs metrics(was, is);
  DifferenceLog log(examples);
  Explanations explanations(original, replacement, metrics, log);
  const NameInstance name = [&](const MetricPair& metric, std::int32_t instance, Timestamp time) {
    return explanations.NameOf(metric, instance, time);
  };
  Comparison comparison;
  if (reduced) {
    auto reduction = CompareReduction(storage, original, replacement, budget, metrics, log, name,
                                      &comparison.original, &comparison.replacement);
    if (!reduction) return tl::unexpected(reduction.error());
    comparison.reduction = *std::move(reduction);
  } else if (auto error = CompareRecords(storage, original, replacement, half, metrics, log, name,
                                         &comparison)) {
    return tl::unexpected(*error);
  }
  explanations.End();
  metrics.Log(log);
  CompareHelp(original, replacement, metrics, log);
  CompareOrigin(original, replacement, log);

  comparison.metrics = was.size();
  comparison.differences = log.Take();
  for (Difference& difference : comparison.differences) {
    if (difference.kind == Kind::kMarks) difference.of = comparison.original.marks;
    if (difference.kind != Kind::kValues || !difference.pmid) continue;
    if (const MetricPair* pair = metrics.Find(*difference.pmid)) difference.of = pair->values;
  }
  return comparison;
}

}  // namespace pmproof::validator::against
