// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/dso/host_values.h"

#include <algorithm>
#include <cstring>

#include "reference/pmda/dso/block_order.h"

namespace pmproof::dso {

HostProfile::HostProfile(const pdu::Profile& profile) {
  std::size_t instances = 0;
  for (const pdu::ProfileEntry& entry : profile.entries) instances += entry.instances.size();
  instances_.reserve(instances);  // entries point into it
  entries_.reserve(profile.entries.size());
  for (const pdu::ProfileEntry& entry : profile.entries) {
    std::int32_t* first = instances_.data() + instances_.size();
    instances_.insert(instances_.end(), entry.instances.begin(), entry.instances.end());
    entries_.push_back({.indom = entry.indom.value,
                        .state = entry.state,
                        .count = static_cast<std::int32_t>(entry.instances.size()),
                        .instances = entry.instances.empty() ? nullptr : first});
  }
  profile_ = {.state = profile.state,
              .count = static_cast<std::int32_t>(entries_.size()),
              .entries = entries_.empty() ? nullptr : entries_.data()};
}

HostStore::HostStore(const pdu::Result& request) {
  const std::size_t count = request.sets.size();
  result_ = static_cast<Result*>(
      Allocate(std::max(sizeof(Result), offsetof(Result, sets) + count * sizeof(ValueSet*))));
  result_->numpmid = static_cast<std::int32_t>(count);
  for (std::size_t i = 0; i < count; ++i) result_->sets[i] = MakeSet(request.sets[i]);
}

void* HostStore::Allocate(std::size_t size) {
  constexpr std::size_t kUnit = sizeof(std::max_align_t);
  memory_.push_back(std::make_unique<std::max_align_t[]>(size / kUnit + 1));
  return memory_.back().get();
}

ValueSet* HostStore::MakeSet(const pdu::ValueSet& set) {
  const std::size_t count = set.values.size();
  auto* made = static_cast<ValueSet*>(
      Allocate(std::max(sizeof(ValueSet), offsetof(ValueSet, values) + count * sizeof(Value))));
  made->pmid = set.pmid.value;
  made->numval = set.numval();
  made->valfmt = static_cast<std::int32_t>(set.format);
  for (std::size_t i = 0; i < count; ++i) {
    const pdu::InstanceValue& value = set.values[i];
    made->values[i].instance = value.instance;
    if (set.format == pdu::ValueFormat::kInsitu) {
      made->values[i].of.word = static_cast<std::int32_t>(value.word);
      continue;
    }
    const std::size_t size = value.body.size();
    auto* block = static_cast<ValueBlock*>(Allocate(offsetof(ValueBlock, body) + size));
    block->header = static_cast<std::uint32_t>(value.type) << 24 |
                    static_cast<std::uint32_t>(offsetof(ValueBlock, body) + size);
    std::ranges::copy(value.body, block->body);
    // A body that is not of its type is the agent's to refuse (CKA-113).
    ToHostOrder(value.type, {block->body, size});
    made->values[i].of.block = block;
  }
  return made;
}

}  // namespace pmproof::dso
