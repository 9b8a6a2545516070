// SPDX-License-Identifier: Apache-2.0
// Edits of section 14.6 on the counts and lengths in a label record, made on its bytes.

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/label_set_mutations.h"
#include "reference/archive/layout.h"

namespace pmproof::generators {
namespace {

using archive::LabelRecordModel;
using archive::LabelSetModel;
using archive::RawRecordModel;

constexpr std::size_t kMostJson = 65535;
constexpr std::size_t kMostLabels = 255;
constexpr std::size_t kSetHeader = 12;
constexpr std::size_t kEntry = 8;
constexpr std::int64_t kMostI32 = std::numeric_limits<std::int32_t>::max();

std::size_t SizeOf(const LabelSetModel& set) {
  return kSetHeader + set.json.size() + kEntry * set.entries.size();
}

// A label record as bytes, and where its words are in them (ARC-390, ARC-391).
struct LabelBytes {
  RawRecordModel raw;
  std::size_t count_at = 0;
  std::vector<std::size_t> sets;  // where each begins
  LabelRecordModel model;

  std::size_t json_length_at(std::size_t set) const { return sets[set] + 4; }
  std::size_t label_count_at(std::size_t set) const {
    return sets[set] + 8 + model.sets[set].json.size();
  }
  std::size_t last() const { return sets.size() - 1; }
};

// Lets `damage` change the bytes of a record with at least one set that `wanted` takes.
template <typename Wanted, typename Damage>
NotApplicable Damaged(ArchivePlan& plan, Random& random, Wanted&& wanted, Damage&& damage) {
  const auto ordinal = FindOrAddLabels(plan, random, [&wanted](const LabelRecordModel& labels) {
    return !labels.sets.empty() && wanted(labels);
  });
  if (!ordinal) return kAllIsLabelled;
  LabelBytes bytes;
  bytes.model = LabelsAt(plan, *ordinal);
  bytes.raw = RawOf(bytes.model, plan.label.version);
  bytes.count_at = 12 + archive::LayoutOf(plan.label.version).timestamp;
  std::size_t at = bytes.count_at + 4;
  for (const LabelSetModel& set : bytes.model.sets) {
    bytes.sets.push_back(at);
    at += SizeOf(set);
  }
  damage(bytes);
  plan.meta[*ordinal] = std::move(bytes.raw);
  return std::nullopt;
}

// The records that readers can do without: were the first one of what it is about lost, and others
// not, labels would begin too late (ARC-1527).
std::set<const LabelRecordModel*> Dispensable(const ArchivePlan& plan) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<const LabelRecordModel*>> subjects;
  for (const std::size_t i : MetaRecords<LabelRecordModel>(plan)) {
    const auto& labels = std::get<LabelRecordModel>(plan.meta[i]);
    const bool context = IsOfClass(labels, LabelClass::kContext);
    subjects[{labels.label_class, context ? 0 : labels.identifier}].push_back(&labels);
  }
  std::set<const LabelRecordModel*> found;
  for (const auto& [subject, records] : subjects) {
    const auto first = std::min_element(
        records.begin(), records.end(),
        [](const LabelRecordModel* a, const LabelRecordModel* b) { return a->time < b->time; });
    for (const LabelRecordModel* record : records) {
      if (records.size() == 1 || record != *first) found.insert(record);
    }
  }
  return found;
}

// The same for a record that readers refuse then.
template <typename Wanted, typename Damage>
NotApplicable Refused(ArchivePlan& plan, Random& random, Wanted&& wanted, Damage&& damage) {
  const std::set<const LabelRecordModel*> dispensable = Dispensable(plan);
  return Damaged(
      plan, random,
      [&](const LabelRecordModel& labels) {
        return dispensable.contains(&labels) && wanted(labels);
      },
      damage);
}

bool Any(const LabelRecordModel&) { return true; }

std::uint32_t Word(Random& random, std::int64_t first, std::int64_t last) {
  return static_cast<std::uint32_t>(random.Between(first, last));
}

std::size_t SomeSet(const LabelBytes& bytes, Random& random) {
  return static_cast<std::size_t>(random.Below(bytes.sets.size()));
}

// Of the last set, so that nothing that follows can be taken for its text.
NotApplicable JsonBeyondTheRecord(ArchivePlan& plan, Random& random) {
  const auto room = [](const LabelRecordModel& labels) {
    return SizeOf(labels.sets.back()) - kSetHeader;
  };
  return Damaged(
      plan, random, [&](const LabelRecordModel& labels) { return room(labels) < kMostJson; },
      [&](LabelBytes& bytes) {
        const auto least = static_cast<std::int64_t>(room(bytes.model)) + 1;
        SetWord(bytes.raw, bytes.json_length_at(bytes.last()), Word(random, least, kMostJson));
      });
}

NotApplicable EntriesBeyondTheRecord(ArchivePlan& plan, Random& random) {
  const auto entries = [](const LabelRecordModel& labels) {
    return labels.sets.back().entries.size();
  };
  return Refused(
      plan, random, [&](const LabelRecordModel& labels) { return entries(labels) < kMostLabels; },
      [&](LabelBytes& bytes) {
        const auto least = static_cast<std::int64_t>(entries(bytes.model)) + 1;
        SetWord(bytes.raw, bytes.label_count_at(bytes.last()), Word(random, least, kMostLabels));
      });
}

NotApplicable SetNotCounted(ArchivePlan& plan, Random& random) {
  std::vector<std::size_t> several = MetaRecords<LabelRecordModel>(
      plan, [](const LabelRecordModel& labels) { return labels.sets.size() > 1; });
  if (several.empty()) {
    const auto added = AddLabels(plan, random, [](LabelClass label_class) {
      std::vector<LabelSetModel> sets = SoundLabels(label_class);
      sets.push_back(sets[0]);
      return sets;
    });
    if (!added) return kAllIsLabelled;
    several.push_back(*added);
  }
  const std::size_t ordinal = random.Pick(several);
  const LabelRecordModel& labels = LabelsAt(plan, ordinal);
  RawRecordModel raw = RawOf(labels, plan.label.version);
  SetWord(raw, 12 + archive::LayoutOf(plan.label.version).timestamp,
          static_cast<std::uint32_t>(labels.sets.size() - 1));
  plan.meta[ordinal] = std::move(raw);
  return std::nullopt;
}

// The code of the rows that change words or append bytes, in a record that readers refuse then, or
// in any.
template <void (*what)(LabelBytes&, Random&)>
NotApplicable OfRefused(ArchivePlan& plan, Random& random) {
  return Refused(plan, random, Any, [&random](LabelBytes& bytes) { what(bytes, random); });
}
template <void (*what)(LabelBytes&, Random&)>
NotApplicable OfAny(ArchivePlan& plan, Random& random) {
  return Damaged(plan, random, Any, [&random](LabelBytes& bytes) { what(bytes, random); });
}

constexpr Mutation kFraming[] = {
    {.rule = "ARC-1503"_clause,
     .edit = "the number of label sets is negative",
     .plan = OfRefused<[](LabelBytes& bytes, Random& random) {
       SetWord(bytes.raw, bytes.count_at, Word(random, -kMostI32, -1));
     }>},
    {.rule = "ARC-1503"_clause,
     .edit = "a label record has fewer sets than it says",
     .plan = OfRefused<[](LabelBytes& bytes, Random& random) {
       const auto sets = static_cast<std::int64_t>(bytes.sets.size());
       SetWord(bytes.raw, bytes.count_at,
               Word(random, sets + 1, random.Chance(1, 2) ? sets + 9 : kMostI32));
     }>},
    {.rule = "ARC-1504"_clause,
     .edit = "the length of JSON is negative",
     .plan = OfRefused<[](LabelBytes& bytes, Random& random) {
       const std::size_t at = bytes.json_length_at(SomeSet(bytes, random));
       SetWord(bytes.raw, at, Word(random, -kMostI32, -1));
     }>},
    {.rule = "ARC-1504"_clause,
     .edit = "the length of JSON is above 65535",
     .plan = OfRefused<[](LabelBytes& bytes, Random& random) {
       const std::size_t at = bytes.json_length_at(SomeSet(bytes, random));
       SetWord(bytes.raw, at, Word(random, kMostJson + 1, kMostI32));
     }>},
    {.rule = "ARC-1504"_clause,
     .edit = "JSON runs past the end of its record",
     .plan = JsonBeyondTheRecord},
    {.rule = "ARC-1505"_clause,
     .edit = "a set has more than 255 labels",
     .plan = OfRefused<[](LabelBytes& bytes, Random& random) {
       const std::size_t at = bytes.label_count_at(SomeSet(bytes, random));
       SetWord(bytes.raw, at, Word(random, kMostLabels + 1, kMostI32));
     }>},
    {.rule = "ARC-1505"_clause,
     .edit = "a set has fewer entries than it says",
     .plan = EntriesBeyondTheRecord},
    {.rule = "ARC-1506"_clause,
     .edit = "bytes follow the last label set",
     .plan = OfAny<[](LabelBytes& bytes, Random& random) {
       const auto byte = static_cast<char>(random.Below(256));
       bytes.raw.payload += std::string(1 + random.Below(32), byte);
     }>},
    {.rule = "ARC-1506"_clause, .edit = "the last label set is not counted", .plan = SetNotCounted},
};

}  // namespace

std::span<const Mutation> LabelSetFramingMutations() { return kFraming; }

}  // namespace pmproof::generators
