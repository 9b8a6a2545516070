// SPDX-License-Identifier: Apache-2.0
// Labels that an archive does not have yet, for the edits of section 14.6.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/label_set_mutations.h"
#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using archive::LabelEntryModel;
using archive::LabelRecordModel;
using archive::LabelSetModel;

// What labels can be about: a class and an identifier (ARC-392).
using Subject = std::pair<LabelClass, std::uint32_t>;

// Those of the metrics, in order.
std::vector<Subject> Subjects(const ArchivePlan& plan) {
  std::set<Subject> subjects;
  for (const std::size_t i : MetaRecords<archive::DescModel>(plan)) {
    const Descriptor& metric = std::get<archive::DescModel>(plan.meta[i]).descriptor;
    const Pmid pmid = metric.pmid;
    subjects.emplace(LabelClass::kItem, pmid.value);
    subjects.emplace(LabelClass::kCluster, Pmid::Of(pmid.domain(), pmid.cluster(), 0).value);
    subjects.emplace(LabelClass::kDomain, pmid.domain());
    if (!metric.indom.IsNull()) subjects.emplace(LabelClass::kIndom, metric.indom.value);
  }
  return {subjects.begin(), subjects.end()};
}

// A subject and a time at which it has no labels: the start if it has none at all (ARC-1527), or a
// time later than its first ones (ARC-1525).
std::optional<std::pair<Subject, Timestamp>> FreePlace(const ArchivePlan& plan, Random& random) {
  const std::vector<Timestamp> times = DataTimes(plan);
  if (times.empty()) return std::nullopt;
  std::map<Subject, std::set<Timestamp>> labelled;
  for (const std::size_t i : MetaRecords<LabelRecordModel>(plan)) {
    const auto& record = std::get<LabelRecordModel>(plan.meta[i]);
    labelled[{static_cast<LabelClass>(record.label_class), record.identifier}].insert(record.time);
  }
  const std::vector<Subject> subjects = Subjects(plan);
  std::vector<Subject> without;
  for (const Subject& subject : subjects) {
    if (!labelled.contains(subject)) without.push_back(subject);
  }
  if (!without.empty()) return std::pair(random.Pick(without), times.front());
  std::vector<std::pair<Subject, Timestamp>> later;
  for (const Subject& subject : subjects) {
    const std::set<Timestamp>& taken = labelled[subject];
    for (const Timestamp time : times) {
      if (time > *taken.begin() && !taken.contains(time)) later.emplace_back(subject, time);
    }
  }
  if (later.empty()) return std::nullopt;
  return random.Pick(later);
}

}  // namespace

LabelEntryModel EntryOf(std::string_view json, std::string_view name, std::string_view value,
                        std::uint8_t flags, std::size_t begin) {
  const std::size_t name_at = json.find('"' + std::string(name) + '"', begin) + 1;
  const std::size_t value_at = json.find(value, json.find(':', name_at + name.size()));
  return {static_cast<std::uint16_t>(name_at), static_cast<std::uint8_t>(name.size()), flags,
          static_cast<std::uint16_t>(value_at), static_cast<std::uint16_t>(value.size())};
}

std::vector<LabelSetModel> SoundLabels(LabelClass label_class) {
  const std::string json = "{\"added\":12,\"fresh\":\"text\"}";
  const std::uint8_t flags = FlagsOf(label_class);
  return {{kInstanceNull,
           json,
           {EntryOf(json, "added", "12", flags), EntryOf(json, "fresh", "\"text\"", flags)},
           0}};
}

void AddContextIfFirst(ArchivePlan& plan, Random& random) {
  if (plan.label.version == 3) return;
  for (const archive::MetaRecordModel& record : plan.meta) {
    if (std::holds_alternative<LabelRecordModel>(record)) return;
  }
  const std::vector<Timestamp> times = DataTimes(plan);
  if (times.empty()) return;
  const std::string json = "{\"fresh\":1}";
  const LabelRecordModel context{
      times[0],
      static_cast<std::uint32_t>(LabelClass::kContext),
      0xffffffff,
      {{kInstanceNull, json, {EntryOf(json, "fresh", "1", FlagsOf(LabelClass::kContext))}, 0}}};
  InsertTimedMeta(plan, context.time, {context}, random);
}

std::optional<std::size_t> AddLabels(ArchivePlan& plan, Random& random, const LabelSets& sets) {
  const auto place = FreePlace(plan, random);
  if (!place) return std::nullopt;
  AddContextIfFirst(plan, random);
  const auto& [subject, time] = *place;
  const auto& [label_class, identifier] = subject;
  return InsertTimedMeta(plan, time,
                         {LabelRecordModel{time, static_cast<std::uint32_t>(label_class),
                                           identifier, sets(label_class)}},
                         random);
}

NotApplicable AddLabelText(ArchivePlan& plan, Random& random, const std::string& json,
                           const std::vector<NamedLabel>& labels) {
  const auto added = AddLabels(plan, random, [&](LabelClass label_class) {
    LabelSetModel set{kInstanceNull, json, {}, 0};
    for (const NamedLabel& label : labels) {
      const auto flags = static_cast<std::uint8_t>(FlagsOf(label_class) | label.flags);
      set.entries.push_back(EntryOf(json, label.name, label.value, flags));
    }
    return std::vector{set};
  });
  return added ? NotApplicable() : kAllIsLabelled;
}

std::optional<std::size_t> FindOrAddLabels(
    ArchivePlan& plan, Random& random, const std::function<bool(const LabelRecordModel&)>& wanted) {
  const std::vector<std::size_t> found = MetaRecords<LabelRecordModel>(plan, wanted);
  if (!found.empty()) return random.Pick(found);
  return AddLabels(plan, random, SoundLabels);
}

LabelRecordModel& LabelsAt(ArchivePlan& plan, std::size_t ordinal) {
  return std::get<LabelRecordModel>(plan.meta.at(ordinal));
}

bool IsOfClass(const LabelRecordModel& labels, LabelClass label_class) {
  return labels.label_class == static_cast<std::uint32_t>(label_class);
}

}  // namespace pmproof::generators
