// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/label_set_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/archive/instance_domain.h"
#include "reference/archive/layout.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/core/printable.h"
#include "reference/core/timestamp.h"
#include "validator/check/rules/label_contradiction.h"

namespace pmproof::validator {
namespace {

using archive::ArchiveLabel;
using archive::Details;
using archive::InstanceCursor;
using archive::InstanceDomain;
using archive::LabelEntry;
using archive::LabelRecord;
using archive::LabelSet;
using archive::Location;
using archive::Metadata;
using archive::Reporter;

constexpr std::size_t kTime = 8;  // offset of the timestamp (ARC-390)

Location TimeAt(const LabelRecord& record) {
  return record.record.At(kTime, record.sets - kTime - 12);
}
Location IdentifierAt(const LabelRecord& record) { return record.record.At(record.sets - 8, 4); }

// What a record is about: its class and identifier. Readers ignore the identifier of the context
// (ARC-400), and the item of a cluster's is a matter of ARC-1526.
using Subject = std::pair<LabelClass, std::uint32_t>;

std::uint32_t ClusterOf(Pmid pmid) { return Pmid::Of(pmid.domain(), pmid.cluster(), 0).value; }

Subject SubjectOf(const LabelRecord& record) {
  if (record.label_class == LabelClass::kContext) return {record.label_class, 0xffffffff};
  return {record.label_class, record.identifier};
}

std::string ToText(const Subject& subject) {
  const auto [label_class, identifier] = subject;
  switch (label_class) {
    case LabelClass::kContext:
      return "the context";
    case LabelClass::kDomain:
      return "domain " + std::to_string(identifier);
    case LabelClass::kIndom:
      return "instance domain " + pmproof::ToText(Indom{identifier});
    case LabelClass::kInstances:
      return "the instances of " + pmproof::ToText(Indom{identifier});
    case LabelClass::kCluster:
      return "the cluster of " + pmproof::ToText(Pmid{identifier});
    case LabelClass::kItem:
      return "metric " + pmproof::ToText(Pmid{identifier});
  }
  return "class " + pmproof::ToText(label_class);
}

// What an archive has that labels can be about, and when the first value of each was recorded.
class Subjects {
 public:
  Subjects(const Metadata& metadata, const Usage& usage);

  bool Exist(const Subject& subject) const { return first_value_.count(subject) != 0; }

  // Nothing if no value was recorded.
  std::optional<Timestamp> FirstValue(const Subject& subject) const {
    const auto found = first_value_.find(subject);
    return found != first_value_.end() ? found->second : std::nullopt;
  }

 private:
  void Add(const Subject& subject, const std::optional<Timestamp>& value) {
    std::optional<Timestamp>& first = first_value_[subject];
    if (value && (!first || *value < *first)) first = value;
  }
  void AddDomain(Indom indom, const std::optional<Timestamp>& value) {
    Add({LabelClass::kIndom, indom.value}, value);
    Add({LabelClass::kInstances, indom.value}, value);
  }

  std::map<Subject, std::optional<Timestamp>> first_value_;
};

Subjects::Subjects(const Metadata& metadata, const Usage& usage) {
  std::optional<Timestamp> start;
  if (usage.first_record) start = usage.first_record->Normalised();
  Add({LabelClass::kContext, 0xffffffff}, start);
  for (const archive::DescRecord& desc : metadata.descs) {
    const Pmid pmid = desc.descriptor.pmid;
    const auto used = usage.metrics.find(pmid);
    const std::optional<Timestamp> value =
        used != usage.metrics.end() && used->second.first_value
            ? std::optional(used->second.first_value->Normalised())
            : std::nullopt;
    Add({LabelClass::kDomain, pmid.domain()}, value);
    Add({LabelClass::kCluster, ClusterOf(pmid)}, value);
    Add({LabelClass::kItem, pmid.value}, value);
    if (!desc.descriptor.indom.IsNull()) AddDomain(desc.descriptor.indom, value);
  }
  // Most records are of a domain that the ones before are of.
  std::optional<Indom> last;
  for (const archive::IndomRecord& record : metadata.indoms) {
    if (std::exchange(last, record.indom) == record.indom) continue;
    Add({LabelClass::kDomain, record.indom.domain()}, std::nullopt);
    AddDomain(record.indom, std::nullopt);
  }
}

// ARC-1502. The context has no identifier.
void CheckIdentifiers(const std::vector<const LabelRecord*>& labels, const Subjects& subjects,
                      Reporter& reporter) {
  for (const LabelRecord* record : labels) {
    const bool context = record->label_class == LabelClass::kContext;
    Subject subject{record->label_class, record->identifier};
    if (record->label_class == LabelClass::kCluster && record->identifier >> 31 == 0) {
      subject.second = ClusterOf(Pmid{record->identifier});
    }
    if (subjects.Exist(subject)) continue;
    const Reporter::About about(reporter, record->Metric());
    reporter.Report("ARC-1502"_clause, IdentifierAt(*record), [&] {
      return Details{"identifier", std::to_string(record->identifier), context ? "4294967295" : "",
                     context ? "the labels of the context name something"
                             : "the archive has nothing that is " + ToText(subject)};
    });
  }
}

// ARC-1516. `labels` is in the order of time.
void CheckInstances(const std::vector<const LabelRecord*>& labels, const Metadata& metadata,
                    Reporter& reporter) {
  const auto of_instances = [](const LabelRecord* record) {
    return record->label_class == LabelClass::kInstances;
  };
  if (std::ranges::none_of(labels, of_instances)) return;
  const std::map<Indom, InstanceDomain> domains = archive::CollectDomains(metadata.indoms);
  std::map<Indom, InstanceCursor> cursors;
  for (const LabelRecord* record : labels) {
    if (!of_instances(record)) continue;
    const auto domain = domains.find(Indom{record->identifier});
    if (domain == domains.end()) continue;
    InstanceCursor& cursor = cursors.try_emplace(domain->first, domain->second).first->second;
    cursor.AdvanceTo(record->time);
    record->ForEachSet([&](const LabelSet& set) {
      if (cursor.Contains(set.instance)) return;
      reporter.Report("ARC-1516"_clause, record->record.At(set.offset, 4), [&] {
        return Details{"inst", std::to_string(set.instance), "",
                       "the instance is not in " + pmproof::ToText(domain->first) +
                           " at the time of its labels"};
      });
    });
  }
}

// The value of the label `hostname` as it stands in a set; nothing if there is none.
std::optional<std::string_view> HostLabel(const LabelSet& set, std::size_t* entry_offset) {
  for (std::int32_t i = 0; i < set.count; ++i) {
    const LabelEntry entry = set.Entry(static_cast<std::size_t>(i));
    if (entry.name_offset > set.json.size() || entry.value_offset > set.json.size()) continue;
    if (set.json.substr(entry.name_offset, entry.name_length) != "hostname") continue;
    *entry_offset = entry.value_offset;
    return set.json.substr(entry.value_offset, entry.value_length);
  }
  return std::nullopt;
}

// ARC-1520. A field that is full may have cut the name (ARC-102).
void CheckHost(const std::vector<const LabelRecord*>& labels, const ArchiveLabel& label,
               Reporter& reporter) {
  const bool maybe_cut = label.host.size() + 1 == archive::LayoutOf(label.version).host_size;
  for (const LabelRecord* record : labels) {
    if (record->label_class != LabelClass::kContext) continue;
    record->ForEachSet([&](const LabelSet& set) {
      std::size_t at = 0;
      const std::optional<std::string_view> value = HostLabel(set, &at);
      if (!value) return;
      std::string_view host = *value;
      if (host.size() >= 2 && host.front() == '"') host = host.substr(1, host.size() - 2);
      if (host == label.host || (maybe_cut && host.starts_with(label.host))) return;
      reporter.Report(
          "ARC-1520"_clause, record->record.At(set.offset + 8 + at, value->size()), [&] {
            return Details{"hostname", Printable(host), Printable(label.host),
                           "the context's label hostname is not the host of the archive's label"};
          });
    });
  }
}

// ARC-1525 and ARC-1527. `labels` is in the order of time.
void CheckTimes(const std::vector<const LabelRecord*>& labels, const Subjects& subjects,
                Reporter& reporter) {
  // Of the records with the latest time so far the first, which readers use; and its labels once
  // another one has its time.
  struct Latest {
    const LabelRecord* record = nullptr;
    std::optional<UsedLabels> labels;
  };
  std::map<Subject, Latest> all;
  for (const LabelRecord* record : labels) {
    const Timestamp time = record->time.Normalised();
    const Subject subject = SubjectOf(*record);
    const Reporter::About about(reporter, record->Metric());
    Latest& latest = all[subject];
    if (latest.record == nullptr) {
      latest.record = record;
      const std::optional<Timestamp> value = subjects.FirstValue(subject);
      if (!value || time <= *value) continue;
      reporter.Report("ARC-1527"_clause, TimeAt(*record), [&] {
        return Details{"timestamp", ToIsoText(time), "<= " + ToIsoText(*value),
                       "the first labels of " + ToText(subject) + " come after its first value"};
      });
    } else if (latest.record->time.Normalised() == time) {
      if (!latest.labels) latest.labels.emplace(*latest.record);
      const bool contradicted = latest.labels->ContradictedBy(*record);
      reporter.Report(
          "ARC-1525"_clause, TimeAt(*record),
          [&] {
            return Details{
                "timestamp", ToIsoText(time), "one record for a time",
                std::string(contradicted ? "labels with other values are"
                                         : "another record with labels is") +
                    " given to " + ToText(subject) + " for this time by the record at offset " +
                    std::to_string(latest.record->record.offset) + ", which readers use"};
          },
          contradicted ? archive::Gravity::kError : archive::Gravity::kAsCatalogued);
    } else {
      latest = {record, std::nullopt};
    }
  }
}

// ARC-1524. Archives before PCP 4.0.0 have no labels at all, and no archives of version 3 are so
// old.
void CheckContext(const Metadata& metadata, const ArchiveLabel& label, Reporter& reporter) {
  if (label.version != 3 && metadata.labels.empty()) return;
  for (const LabelRecord& record : metadata.labels) {
    if (record.label_class == LabelClass::kContext) return;
  }
  reporter.Report("ARC-1524"_clause, {archive::kMetaPart, 0, 0, 0}, [&] {
    return Details{"label class", "", "context", "the archive has no labels of the context"};
  });
}

}  // namespace

void CheckLabelSets(const Metadata& metadata, const ArchiveLabel& label, const Usage& usage,
                    Reporter& reporter) {
  std::vector<const LabelRecord*> labels;
  labels.reserve(metadata.labels.size());
  for (const LabelRecord& record : metadata.labels) {
    if (archive::IsLabelClass(record.label_class)) labels.push_back(&record);
  }
  const Subjects subjects(metadata, usage);
  if (metadata.Complete()) {
    CheckContext(metadata, label, reporter);
    CheckIdentifiers(labels, subjects, reporter);
  }
  CheckHost(labels, label, reporter);

  std::stable_sort(labels.begin(), labels.end(), [](const LabelRecord* a, const LabelRecord* b) {
    return a->time.Normalised() < b->time.Normalised();
  });
  if (metadata.Complete()) CheckInstances(labels, metadata, reporter);
  CheckTimes(labels, subjects, reporter);
}

}  // namespace pmproof::validator
