// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/shrink_labels.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pmproof::validator {
namespace {

using archive::LabelEntryModel;
using archive::LabelSetModel;

struct Label {
  std::string name;
  std::string value;
  std::uint8_t flags = 0;
};

// The set that these labels make: {"name":value,...}.
LabelSetModel Made(const LabelSetModel& like, const std::vector<Label>& labels) {
  LabelSetModel set{like.instance, "{", {}, like.error};
  for (const Label& label : labels) {
    if (!set.entries.empty()) set.json += ',';
    set.json += '"';
    LabelEntryModel& entry = set.entries.emplace_back();
    entry.name_offset = static_cast<std::uint16_t>(set.json.size());
    entry.name_length = static_cast<std::uint8_t>(label.name.size());
    entry.flags = label.flags;
    set.json += label.name + "\":";
    entry.value_offset = static_cast<std::uint16_t>(set.json.size());
    entry.value_length = static_cast<std::uint16_t>(label.value.size());
    set.json += label.value;
  }
  set.json += '}';
  return set;
}

// The labels that the set is made of; nothing if it is made in another way.
std::optional<std::vector<Label>> LabelsOf(const LabelSetModel& set) {
  std::vector<Label> labels;
  for (const LabelEntryModel& entry : set.entries) {
    const std::size_t size = set.json.size();
    if (entry.name_offset > size || entry.value_offset > size) return std::nullopt;
    labels.push_back({set.json.substr(entry.name_offset, entry.name_length),
                      set.json.substr(entry.value_offset, entry.value_length), entry.flags});
  }
  if (Made(set, labels) != set) return std::nullopt;
  return labels;
}

}  // namespace

void ShrinkLabelSet(LabelSetModel set, const std::function<bool(archive::LabelSetModel)>& attempt,
                    const Over& over) {
  if (auto labels = LabelsOf(set)) {
    ShrinkList(labels->size(), 1, over, [&](std::size_t begin, std::size_t end) {
      std::vector<Label> rest = Without(*labels, begin, end);
      if (!attempt(Made(set, rest))) return false;
      labels = std::move(rest);
      return true;
    });
    return;
  }
  const auto shrink = [&](auto member) {
    ShrinkList((set.*member).size(), 1, over, [&](std::size_t begin, std::size_t end) {
      LabelSetModel rest = set;
      rest.*member = Without(set.*member, begin, end);
      if (!attempt(rest)) return false;
      set = std::move(rest);
      return true;
    });
  };
  shrink(&LabelSetModel::entries);
  shrink(&LabelSetModel::json);
}

}  // namespace pmproof::validator
