// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/label_contradiction.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace pmproof::validator {
namespace {

using archive::LabelEntry;
using archive::LabelRecord;
using archive::LabelSet;

using Label = std::pair<std::string_view, std::string_view>;  // name, value

// Nothing for an entry that is not inside the JSON (ARC-1509).
std::optional<Label> LabelOf(const LabelSet& set, std::size_t i) {
  const LabelEntry entry = set.Entry(i);
  if (std::size_t{entry.name_offset} + entry.name_length > set.json.size() ||
      std::size_t{entry.value_offset} + entry.value_length > set.json.size()) {
    return std::nullopt;
  }
  return Label(set.json.substr(entry.name_offset, entry.name_length),
               set.json.substr(entry.value_offset, entry.value_length));
}

// Sorted by name; of one name the first in the set first.
std::vector<Label> LabelsOf(const LabelSet& set) {
  std::vector<Label> labels;
  for (std::int32_t i = 0; i < set.count; ++i) {
    if (auto label = LabelOf(set, static_cast<std::size_t>(i))) labels.push_back(*label);
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [](const Label& a, const Label& b) { return a.first < b.first; });
  return labels;
}

bool Contradict(const LabelSet& used, const LabelSet& other) {
  const std::vector<Label> known = LabelsOf(used);
  for (std::int32_t i = 0; i < other.count; ++i) {
    const std::optional<Label> label = LabelOf(other, static_cast<std::size_t>(i));
    if (!label) continue;
    const auto same =
        std::lower_bound(known.begin(), known.end(), *label,
                         [](const Label& a, const Label& b) { return a.first < b.first; });
    if (same != known.end() && same->first == label->first && same->second != label->second) {
      return true;
    }
  }
  return false;
}

}  // namespace

UsedLabels::UsedLabels(const LabelRecord& record) {
  record.ForEachSet([&](const LabelSet& set) { sets_.push_back(set); });
  std::stable_sort(sets_.begin(), sets_.end(),
                   [](const LabelSet& a, const LabelSet& b) { return a.instance < b.instance; });
}

bool UsedLabels::ContradictedBy(const LabelRecord& other) const {
  bool contradicted = false;
  other.ForEachSet([&](const LabelSet& set) {
    const auto used = std::lower_bound(
        sets_.begin(), sets_.end(), set,
        [](const LabelSet& a, const LabelSet& b) { return a.instance < b.instance; });
    if (used == sets_.end() || used->instance != set.instance) return;
    contradicted = contradicted || Contradict(*used, set);
  });
  return contradicted;
}

}  // namespace pmproof::validator
