// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/form_table.h"

#include <algorithm>

namespace pmproof::validator {

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

void FormTable::StartAgain() {
  for (Slot& slot : slots_) {
    if (slot.known == nullptr || !slot.known->followed) continue;
    slot.waited = 0;
    slot.patience = 1;
  }
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
