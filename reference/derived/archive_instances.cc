// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/archive_instances.h"

#include "reference/core/instance_match.h"

namespace pmproof::derived {

const archive::InstanceCursor* ArchiveInstances::CursorOf(Indom indom) {
  const replay::ReplayDomain* const records = archive_.DomainOf(indom);
  if (records == nullptr) return nullptr;
  const auto [found, added] = domains_.try_emplace(
      indom, Domain{position_, archive::InstanceCursor(records->records, position_)});
  Domain& domain = found->second;
  if (position_ < domain.position) domain.cursor = archive::InstanceCursor(records->records);
  domain.position = position_;
  domain.cursor.AdvanceTo(position_);
  return domain.cursor.exists() ? &domain.cursor : nullptr;
}

std::optional<std::int32_t> ArchiveInstances::FindInstance(Indom indom, std::string_view name) {
  const archive::InstanceCursor* const cursor = CursorOf(indom);
  if (cursor == nullptr) return std::nullopt;
  std::vector<NamedInstance> instances;
  instances.reserve(cursor->size());
  cursor->ForEach([&](std::int32_t id, std::string_view its) { instances.push_back({id, its}); });
  return pmproof::FindInstance(instances, name);
}

std::optional<std::string> ArchiveInstances::InstanceName(Indom indom, std::int32_t instance) {
  const archive::InstanceCursor* const cursor = CursorOf(indom);
  const auto name = cursor == nullptr ? std::nullopt : cursor->Name(instance);
  if (!name) return std::nullopt;
  return std::string(*name);
}

tl::expected<std::vector<std::int32_t>, ErrorCode> ArchiveInstances::Instances(Indom indom) {
  const archive::InstanceCursor* const cursor = CursorOf(indom);
  if (cursor == nullptr) return tl::unexpected(ErrorCode::kIndomLog);
  std::vector<std::int32_t> instances;
  cursor->ForEach([&](std::int32_t id, std::string_view) {
    if (profile_.Includes(indom, id)) instances.push_back(id);
  });
  return instances;
}

}  // namespace pmproof::derived
