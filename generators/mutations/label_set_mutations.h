// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_LABEL_SET_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_LABEL_SET_MUTATIONS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/mutation.h"
#include "reference/archive/model.h"
#include "reference/core/metric.h"

// What the edits of section 14.6 share, and those of them that are in files of their own.

namespace pmproof::generators {

// The flags of a label of a class (ARC-396).
inline constexpr std::uint8_t FlagsOf(LabelClass label_class) {
  return static_cast<std::uint8_t>(label_class);
}

// The entry of the label that first has this name and this value in `json`, from `begin` on.
archive::LabelEntryModel EntryOf(std::string_view json, std::string_view name,
                                 std::string_view value, std::uint8_t flags, std::size_t begin = 0);

// The sets of a record of this class.
using LabelSets = std::function<std::vector<archive::LabelSetModel>(LabelClass)>;

// One set of two labels, without fault.
std::vector<archive::LabelSetModel> SoundLabels(LabelClass label_class);

// Adds labels of a metric, a cluster, an agent or an instance domain that has none, or has none at
// that time, and gives the ordinal of the record. Nothing if there is none left: kAllIsLabelled.
std::optional<std::size_t> AddLabels(ArchivePlan& plan, Random& random, const LabelSets& sets);

// Before the first labels of any kind are added: archives of version 2 from before PCP 4.0.0 have
// no labels at all; with some, those of the context would be missed (ARC-1524).
void AddContextIfFirst(ArchivePlan& plan, Random& random);

// The same as AddLabels() with one set of this text and these entries, given by name and value.
struct NamedLabel {
  std::string name;
  std::string value;
  std::uint8_t flags = 0;  // besides those of the class
};
NotApplicable AddLabelText(ArchivePlan& plan, Random& random, const std::string& json,
                           const std::vector<NamedLabel>& labels);

// A label record that `wanted` takes, or a new one with sound labels.
std::optional<std::size_t> FindOrAddLabels(
    ArchivePlan& plan, Random& random,
    const std::function<bool(const archive::LabelRecordModel&)>& wanted);

inline constexpr char kAllIsLabelled[] = "whatever it has is labelled at all times already";

archive::LabelRecordModel& LabelsAt(ArchivePlan& plan, std::size_t ordinal);
bool IsOfClass(const archive::LabelRecordModel& labels, LabelClass label_class);

// The text and the entries of a set (ARC-1507..1514, ARC-1521..1523, ARC-1528..1530).
NotApplicable JsonCut(ArchivePlan& plan, Random& random);
NotApplicable JsonNoObject(ArchivePlan& plan, Random& random);
NotApplicable BlanksInJson(ArchivePlan& plan, Random& random);
NotApplicable OuterNameOdd(ArchivePlan& plan, Random& random);
NotApplicable EntryOutsideTheJson(ArchivePlan& plan, Random& random);
NotApplicable EntryOfHalfALabel(ArchivePlan& plan, Random& random);
NotApplicable EntriesNotSorted(ArchivePlan& plan, Random& random);
NotApplicable NameTwice(ArchivePlan& plan, Random& random);
NotApplicable NameOdd(ArchivePlan& plan, Random& random);
NotApplicable FlagsOfAnotherClass(ArchivePlan& plan, Random& random);
NotApplicable ErrorInPlaceOfLabels(ArchivePlan& plan, Random& random);
NotApplicable NulInJson(ArchivePlan& plan, Random& random);
NotApplicable EntryMissing(ArchivePlan& plan, Random& random);
NotApplicable NestedLabelWithoutEntry(ArchivePlan& plan, Random& random);
NotApplicable MoreLabelsThanEntries(ArchivePlan& plan, Random& random);
NotApplicable CompoundFlagWrong(ArchivePlan& plan, Random& random);
NotApplicable NestedLabelNotMarked(ArchivePlan& plan, Random& random);
NotApplicable NameOfAnObjectTwice(ArchivePlan& plan, Random& random);
NotApplicable NumberBeyondDouble(ArchivePlan& plan, Random& random);
NotApplicable ValueThatActsOnATerminal(ArchivePlan& plan, Random& random);
NotApplicable HalfOfASurrogatePair(ArchivePlan& plan, Random& random);

// Counts and lengths, which readers refuse or stumble over (ARC-1503..1506).
std::span<const Mutation> LabelSetFramingMutations();

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_LABEL_SET_MUTATIONS_H_
