// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/runtime/label_table.h"

#include <array>
#include <optional>
#include <utility>

#include "reference/core/label_set.h"

namespace pmproof::pmda {

tl::expected<void, ErrorCode> LabelTable::Set(const LabelTarget& target, std::string_view json) {
  const std::array<std::optional<std::string_view>, 1> sets = {json};
  auto sorted = MergeLabelSets(sets, PcpVersion::k7_2);
  if (!sorted) return tl::unexpected(sorted.error());
  if (sorted->empty()) {
    sets_.erase(target);
    return {};
  }
  auto stored = ParseLabelSet(*sorted, PcpVersion::k7_2);
  // Sorting makes "a.b" of a label in a label, which is not a name: it stays as it was written.
  if (!stored) stored = ParseLabelSet(json, PcpVersion::k7_2);
  if (!stored) return tl::unexpected(stored.error());
  Labels labels{stored->json, {}};
  if (stored->index.size() > pdu::kMaxLabels || labels.json.size() > pdu::kMaxLabelJson) {
    return tl::unexpected(kTooManyLabels);
  }
  const auto label_class = static_cast<std::uint8_t>(target.label_class);
  for (const IndexedLabel& label : stored->index) {
    const bool compound = label.path.find('.') != std::string::npos;
    labels.index.push_back(
        {static_cast<std::uint16_t>(label.name_offset),
         static_cast<std::uint8_t>(label.name_length),
         static_cast<std::uint8_t>(label_class | (compound ? kLabelFlagCompound : 0)),
         static_cast<std::uint16_t>(label.value_offset),
         static_cast<std::uint16_t>(label.value_length)});
  }
  sets_.insert_or_assign(target, std::move(labels));
  return {};
}

pdu::LabelSet LabelTable::Find(const LabelTarget& target) const {
  pdu::LabelSet set{.instance = target.instance};
  const auto found = sets_.find(target);
  if (found == sets_.end()) return set;
  set.json = found->second.json;
  set.labels = found->second.index;
  return set;
}

}  // namespace pmproof::pmda
