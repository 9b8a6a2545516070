// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_ARCHIVE_INSTANCES_H_
#define PMPROOF_REFERENCE_DERIVED_ARCHIVE_INSTANCES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "reference/archive/instance_domain.h"
#include "reference/core/error_code.h"
#include "reference/replay/instance_profile.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::derived {

// The instances of the domains of an archive at one position, which may move either way (MET-602,
// 604). Forward it takes time that is linear in the records passed.
class ArchiveInstances {
 public:
  // `archive` must outlive this.
  ArchiveInstances(const replay::ReplayArchive& archive, replay::InstanceProfile profile)
      : archive_(archive), profile_(std::move(profile)) {}

  void MoveTo(Timestamp position) { position_ = position; }

  // MET-602: of the domain as it is at the position.
  std::optional<std::int32_t> FindInstance(Indom indom, std::string_view name);
  // MET-604.
  std::optional<std::string> InstanceName(Indom indom, std::int32_t instance);
  // Those that the profile includes, ascending (DER-1108, 1112). kIndomLog: the archive does not
  // have the domain, or not yet.
  tl::expected<std::vector<std::int32_t>, ErrorCode> Instances(Indom indom);

 private:
  struct Domain {
    Timestamp position;
    archive::InstanceCursor cursor;
  };

  // Null if there is no record up to the position.
  const archive::InstanceCursor* CursorOf(Indom indom);

  const replay::ReplayArchive& archive_;
  const replay::InstanceProfile profile_;
  Timestamp position_;
  std::map<Indom, Domain> domains_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_ARCHIVE_INSTANCES_H_
