// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/form_table.h"

#include <algorithm>

#include "reference/archive/layout.h"

namespace pmproof::validator {

FormTable::Slot* FormTable::Find(Bytes record, std::size_t sets, std::uint64_t* key) {
  constexpr std::uint64_t kMixer = 0x9e3779b97f4a7c15;
  if (record.size() < sets + 16 || record.size() > kLargestRecord) return nullptr;
  if (slots_.empty()) slots_.resize(kSlots);
  const std::uint8_t* set = record.data() + sets;  // identifier, count, format, instance
  *key = ((LoadU32(set - 4) * kMixer ^ LoadU64(set)) * kMixer ^ LoadU32(set + 12)) * kMixer;
  return &slots_[*key >> 56];
}

void FormTable::Start(Slot& slot, std::uint64_t key) {
  Drop(slot);
  slot.key = key;
  slot.waited = 0;
  slot.patience = LeastPatience();
}

bool FormTable::IsDue(Slot& slot) {
  constexpr std::uint32_t kMostPatience = 256;
  if (++slot.waited < slot.patience) return false;
  slot.waited = 0;
  slot.patience = std::min(2 * slot.patience, kMostPatience);
  return true;
}

void FormTable::OnUse(Slot& slot) {
  used_ += slot.known->memory;
  slot.waited = 0;
  slot.patience = LeastPatience();
}

void FormTable::Keep(Slot& slot, KnownForm known) {
  Drop(slot);
  known.memory = known.form.memory();
  made_ += known.memory;
  if (known.memory > kMostMemory - memory_) return;
  memory_ += known.memory;
  slot.known = std::make_unique<KnownForm>(std::move(known));
}

void FormTable::Drop(Slot& slot) {
  if (slot.known == nullptr) return;
  memory_ -= slot.known->memory;
  slot.known = nullptr;
}

}  // namespace pmproof::validator
