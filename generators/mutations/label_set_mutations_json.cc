// SPDX-License-Identifier: Apache-2.0
// Edits of section 14.6 on the text of a label set and its entries.

#include <algorithm>
#include <iterator>
#include <utility>

#include "generators/mutations/find.h"
#include "generators/mutations/label_set_mutations.h"

namespace pmproof::generators {
namespace {

using archive::LabelEntryModel;
using archive::LabelRecordModel;
using archive::LabelSetModel;

constexpr int kClassBits = 0x3f;  // of the flags of an entry (ARC-396)

// Lets `change` change a set of a new record, which has two labels.
template <typename Change>
NotApplicable ChangeAdded(ArchivePlan& plan, Random& random, Change&& change) {
  const auto added = AddLabels(plan, random, [&](LabelClass label_class) {
    std::vector<LabelSetModel> sets = SoundLabels(label_class);
    change(sets[0]);
    return sets;
  });
  return added ? NotApplicable() : kAllIsLabelled;
}

// A set that `wanted` takes, in a record that is there or a new one; nullptr if neither can be.
template <typename Wanted>
LabelSetModel* FindOrAddSet(ArchivePlan& plan, Random& random, Wanted&& wanted) {
  const auto ordinal = FindOrAddLabels(plan, random, [&wanted](const LabelRecordModel& labels) {
    return std::any_of(labels.sets.begin(), labels.sets.end(),
                       [&](const LabelSetModel& set) { return wanted(labels, set); });
  });
  if (!ordinal) return nullptr;
  LabelRecordModel& labels = LabelsAt(plan, *ordinal);
  std::vector<LabelSetModel*> sets;
  for (LabelSetModel& set : labels.sets) {
    if (wanted(labels, set)) sets.push_back(&set);
  }
  return random.Pick(sets);
}

// The hostname of the context is held against that of the label (ARC-1520).
bool MayLoseText(const LabelRecordModel& labels, const LabelSetModel& set) {
  return !IsOfClass(labels, LabelClass::kContext) && !set.json.empty();
}

bool HasEntries(const LabelRecordModel&, const LabelSetModel& set) { return !set.entries.empty(); }

}  // namespace

NotApplicable JsonCut(ArchivePlan& plan, Random& random) {
  LabelSetModel* set = FindOrAddSet(plan, random, MayLoseText);
  if (set == nullptr) return kAllIsLabelled;
  const auto size = static_cast<std::int64_t>(set->json.size());
  // Entries for what is left out are not looked at then. Of nothing at all there would be no
  // labels.
  set->json.resize(static_cast<std::size_t>(random.Between(size > 1 ? 1 : 0, size - 1)));
  if (set->json.empty()) set->json = "{";
  return std::nullopt;
}

NotApplicable JsonNoObject(ArchivePlan& plan, Random& random) {
  static const char* const kTexts[] = {
      "[1]",          "1",     "\"text\"", "null",       "{\"a\":1}{}",
      "{\"a\":\xff}", "{a:1}", "{'a':1}",  "{\"a\":1,}", "{\"a\":\"\xc3\"}",
      "{\"a\":01}"};
  return AddLabelText(plan, random, random.Pick(kTexts), {});
}

NotApplicable BlanksInJson(ArchivePlan& plan, Random& random) {
  static const char* const kTexts[] = {"{ \"a\":1}", "{\"a\" :1}",    "{\"a\": 1}",
                                       "{\"a\":1 }", "{ \"a\" : 1 }", "{\n\t\"a\": 1\n}",
                                       " {\"a\":1}", "{\"a\":1}\n"};
  return AddLabelText(plan, random, random.Pick(kTexts), {{"a", "1"}});
}

NotApplicable OuterNameOdd(ArchivePlan& plan, Random& random) {
  static const char* const kTexts[] = {"{\"o o\":{\"a\":1}}", "{\"o-o\":{\"a\":1}}",
                                       "{\"\":{\"a\":1}}"};
  return AddLabelText(plan, random, random.Pick(kTexts), {{"a", "1", kLabelFlagCompound}});
}

NotApplicable EntryOutsideTheJson(ArchivePlan& plan, Random& random) {
  return ChangeAdded(plan, random, [&random](LabelSetModel& set) {
    LabelEntryModel& entry = random.Pick(set.entries);
    const std::uint64_t field = random.Below(4);
    const auto outside = static_cast<std::uint16_t>(
        random.Between(static_cast<std::int64_t>(set.json.size()), 65535));
    if (field == 0) entry.name_offset = outside;
    if (field == 1) entry.name_length = 255;
    if (field == 2) entry.value_offset = outside;
    if (field == 3) entry.value_length = outside;
  });
}

NotApplicable EntryOfHalfALabel(ArchivePlan& plan, Random& random) {
  return ChangeAdded(plan, random, [&random](LabelSetModel& set) {
    LabelEntryModel& entry = random.Pick(set.entries);
    switch (random.Below(6)) {
      case 0:
        ++entry.name_offset;
        break;
      case 1:
        --entry.name_offset;
        break;
      case 2:
        --entry.name_length;
        break;
      case 3:
        ++entry.name_length;
        break;
      case 4:
        --entry.value_length;
        break;
      default:
        ++entry.value_offset;
        --entry.value_length;
    }
  });
}

NotApplicable EntriesNotSorted(ArchivePlan& plan, Random& random) {
  return ChangeAdded(plan, random,
                     [](LabelSetModel& set) { std::swap(set.entries[0], set.entries[1]); });
}

NotApplicable NameTwice(ArchivePlan& plan, Random& random) {
  const std::string json = random.Chance(1, 2) ? "{\"a\":1,\"a\":2}" : "{\"a\":1,\"a\":1}";
  return ChangeAdded(plan, random, [&json](LabelSetModel& set) {
    const std::uint8_t flags = set.entries[0].flags;
    set.json = json;
    set.entries = {EntryOf(json, "a", json.substr(5, 1), flags),
                   EntryOf(json, "a", json.substr(11, 1), flags, 7)};
  });
}

NotApplicable NameOdd(ArchivePlan& plan, Random& random) {
  const std::string names[] = {
      "a b", "a-b", "a.b", "\xc3\xa4", "", std::string(255, 'a'), std::string(300, 'a')};
  const std::string& name = random.Pick(names);
  return AddLabelText(plan, random, "{\"" + name + "\":1}", {{name, "1"}});
}

NotApplicable FlagsOfAnotherClass(ArchivePlan& plan, Random& random) {
  LabelSetModel* set = FindOrAddSet(
      plan, random, [](const LabelRecordModel& labels, const LabelSetModel& candidate) {
        return HasEntries(labels, candidate) &&
               std::all_of(candidate.entries.begin(), candidate.entries.end(),
                           [&labels](const LabelEntryModel& entry) {
                             return (entry.flags & kClassBits) == labels.label_class;
                           });
      });
  if (set == nullptr) return kAllIsLabelled;
  LabelEntryModel& entry = random.Pick(set->entries);
  const auto other = static_cast<int>((entry.flags + random.Between(1, kClassBits)) & kClassBits);
  entry.flags = static_cast<std::uint8_t>((entry.flags & ~kClassBits) | other);
  return std::nullopt;
}

NotApplicable ErrorInPlaceOfLabels(ArchivePlan& plan, Random& random) {
  static constexpr std::int32_t kCodes[] = {-12351, -22, -12410, -1};
  LabelSetModel* set = FindOrAddSet(
      plan, random, [](const LabelRecordModel& labels, const LabelSetModel& candidate) {
        return MayLoseText(labels, candidate) && candidate.error >= 0;
      });
  if (set == nullptr) return kAllIsLabelled;
  *set = {set->instance, "", {}, random.Pick(kCodes)};
  return std::nullopt;
}

NotApplicable NulInJson(ArchivePlan& plan, Random& random) {
  return ChangeAdded(plan, random, [&random](LabelSetModel& set) {
    const auto at = static_cast<std::size_t>(random.Below(set.json.size() + 1));
    set.json.insert(at, 1, '\0');
  });
}

NotApplicable EntryMissing(ArchivePlan& plan, Random& random) {
  LabelSetModel* set = FindOrAddSet(plan, random, HasEntries);
  if (set == nullptr) return kAllIsLabelled;
  set->entries.erase(set->entries.begin() +
                     static_cast<std::ptrdiff_t>(random.Below(set->entries.size())));
  return std::nullopt;
}

NotApplicable NestedLabelWithoutEntry(ArchivePlan& plan, Random& random) {
  return AddLabelText(plan, random, "{\"a\":1,\"b\":{\"c\":2}}", {{"a", "1"}});
}

NotApplicable MoreLabelsThanEntries(ArchivePlan& plan, Random& random) {
  std::string json = "{";
  std::vector<NamedLabel> labels;
  const std::int64_t count = random.Between(256, 600);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string name = "a" + std::to_string(1000 + i);
    json += (i > 0 ? ",\"" : "\"") + name + "\":1";
    if (i < 255) labels.push_back({name, "1"});
  }
  return AddLabelText(plan, random, json + "}", labels);
}

// In a set without any nested labels, or what looks like them.
NotApplicable CompoundFlagWrong(ArchivePlan& plan, Random& random) {
  LabelSetModel* set = FindOrAddSet(
      plan, random, [](const LabelRecordModel& labels, const LabelSetModel& candidate) {
        return HasEntries(labels, candidate) && candidate.json.find('{', 1) == std::string::npos &&
               std::all_of(candidate.entries.begin(), candidate.entries.end(),
                           [](const LabelEntryModel& entry) {
                             return (entry.flags & kLabelFlagCompound) == 0;
                           });
      });
  if (set == nullptr) return kAllIsLabelled;
  random.Pick(set->entries).flags |= kLabelFlagCompound;
  return std::nullopt;
}

NotApplicable NestedLabelNotMarked(ArchivePlan& plan, Random& random) {
  return AddLabelText(plan, random, "{\"a\":{\"b\":1}}", {{"b", "1"}});
}

NotApplicable NameOfAnObjectTwice(ArchivePlan& plan, Random& random) {
  static const char* const kTexts[] = {"{\"o\":{\"a\":1},\"o\":{\"b\":2}}",
                                       "{\"o\":{\"p\":{\"a\":1},\"p\":{\"b\":2}}}"};
  return AddLabelText(plan, random, random.Pick(kTexts),
                      {{"a", "1", kLabelFlagCompound}, {"b", "2", kLabelFlagCompound}});
}

NotApplicable NumberBeyondDouble(ArchivePlan& plan, Random& random) {
  const std::string numbers[] = {"9007199254740993", "-18446744073709551617", "1e999", "1e-999"};
  const std::string& number = random.Pick(numbers);
  return AddLabelText(plan, random, "{\"n\":" + number + "}", {{"n", number}});
}

NotApplicable ValueThatActsOnATerminal(ArchivePlan& plan, Random& random) {
  const std::string values[] = {R"("\u001b[2J")", R"("moc.\u202elive")", R"("a\rb")",
                                "\"\u009b2J\"",   "\"moc.\u202elive\"",  "\"a\x7f\""};
  const std::string& value = random.Pick(values);
  return AddLabelText(plan, random, "{\"t\":" + value + "}", {{"t", value}});
}

NotApplicable HalfOfASurrogatePair(ArchivePlan& plan, Random& random) {
  const std::string values[] = {R"("\ud83d")", R"("a\ude00b")", R"("\ud83d\ud83d\ude00")"};
  const std::string& value = random.Pick(values);
  return AddLabelText(plan, random, "{\"t\":" + value + "}", {{"t", value}});
}

}  // namespace pmproof::generators
