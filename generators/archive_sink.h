// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_ARCHIVE_SINK_H_
#define PMPROOF_GENERATORS_ARCHIVE_SINK_H_

#include <optional>

#include "reference/archive/model.h"
#include "reference/core/status.h"

namespace pmproof::generators {

// Where a generated archive goes, record by record: first the metadata that come with a result,
// then the result. What goes wrong ends it.
class ArchiveSink {
 public:
  virtual ~ArchiveSink() = default;
  virtual std::optional<Status> Take(const archive::MetaRecordModel& record) = 0;
  virtual std::optional<Status> Take(const archive::ResultModel& result) = 0;

  // The next result begins a volume (ARC-611). Nothing to do where there are no volumes.
  virtual void NextVolume() {}
};

// Of an archive that is only counted.
class NullSink final : public ArchiveSink {
 public:
  std::optional<Status> Take(const archive::MetaRecordModel&) override { return std::nullopt; }
  std::optional<Status> Take(const archive::ResultModel&) override { return std::nullopt; }
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_ARCHIVE_SINK_H_
