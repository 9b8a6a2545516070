// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/help_table.h"

#include <utility>
#include <variant>

namespace pmproof::pmda {
namespace {

std::uint64_t KeyOf(const HelpId& id) {
  constexpr std::uint64_t kIndom = std::uint64_t{1} << 32;
  if (const auto* indom = std::get_if<Indom>(&id)) return kIndom | indom->value;
  return std::get<Pmid>(id).value;
}

}  // namespace

HelpTable::HelpTable(std::span<const HelpEntry> entries) {
  const auto add = [this](std::string_view text) {
    const Text added{texts_.size(), text.size()};
    texts_ += text;
    return added;
  };
  for (const HelpEntry& entry : entries) {
    slots_.push_back({entry.id, add(entry.one_line), add(entry.full)});
  }
  Index();
}

void HelpTable::Index() {
  index_.clear();
  for (std::size_t i = 0; i < slots_.size(); ++i) index_.emplace(KeyOf(slots_[i].id), i);
}

tl::expected<std::string_view, ErrorCode> HelpTable::Find(HelpId id, std::uint32_t request) const {
  const auto found = index_.find(KeyOf(id));
  if (found == index_.end()) return tl::unexpected(kNoText);
  const Slot& slot = slots_[found->second];
  const Text& text = (request & kTextOneLine) != 0 ? slot.one_line : slot.full;
  return std::string_view(texts_).substr(text.at, text.size);
}

HelpTable HelpTable::WithDomain(std::uint32_t domain) const {
  HelpTable table = *this;
  for (Slot& slot : table.slots_) {
    if (auto* pmid = std::get_if<Pmid>(&slot.id)) {
      *pmid = Pmid::Of(domain, pmid->cluster(), pmid->item());
    } else {
      slot.id = Indom::Of(domain, std::get<Indom>(slot.id).serial());
    }
  }
  table.Index();
  return table;
}

}  // namespace pmproof::pmda
