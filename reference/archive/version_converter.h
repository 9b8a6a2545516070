// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_VERSION_CONVERTER_H_
#define PMPROOF_REFERENCE_ARCHIVE_VERSION_CONVERTER_H_

#include <cstdint>
#include <map>

#include "reference/archive/instance_domain.h"
#include "reference/archive/metadata.h"
#include "reference/archive/model.h"
#include "reference/core/status.h"

namespace pmproof::archive {

// Turns the models of an archive of version 2 into those of version 3 and back, one for one: each
// record becomes one record, so that the index can follow (ARC-602).
//
// - Times: microseconds become nanoseconds (ARC-640). To version 2 only whole microseconds between
//   1901 and 2038 can be expressed (ARC-003, ARC-504); a stored fraction out of range never can.
// - Labels: the bytes after the first NUL of a text field, which mean nothing (ARC-102), are left
//   out. To version 3 the zoneinfo is empty, which it may be (ARC-101). To version 2 feature bits,
//   the reserved word, names that are too long and a zoneinfo cannot be expressed, unless the
//   zoneinfo is the time zone with a colon before it, or without one (":UTC" beside "UTC").
// - Instance domains: to version 3 instances are put into ascending order (ARC-343). To version 2
//   each delta becomes the whole domain that it leads to (ARC-372), which must not be empty
//   (ARC-345); a delta without a full record before it (ARC-371), and one that stands after a later
//   delta of its domain, cannot be expressed.
// - A record of a type of the other version (ARC-301) is converted only if it is an instance
//   domain.
//
// The errors are kUnsupported, with the clause and what cannot be expressed; file and offset are
// left to the caller.
class VersionConverter {
 public:
  // `to` is 2 or 3, the archive is of the other version. `metadata` is all of its .meta file and
  // outlives the converter, as do the bytes it views.
  VersionConverter(int to, const Metadata& metadata);
  VersionConverter(const VersionConverter&) = delete;
  VersionConverter& operator=(const VersionConverter&) = delete;

  Result<LabelModel> Convert(const LabelModel& label) const;
  // `offset` is that of the record in .meta. Records come in the order of the file.
  Result<MetaRecordModel> Convert(const MetaRecordModel& record, std::uint64_t offset);
  Result<ResultModel> Convert(ResultModel result) const;
  // The offsets are left as they are.
  Result<IndexEntryModel> Convert(const IndexEntryModel& entry) const;

 private:
  // Where one record stands in the life of its domain.
  struct Step {
    Indom indom;
    std::size_t index = 0;
  };

  Result<Timestamp> Convert(Timestamp time, bool odd_fraction) const;
  Result<MetaRecordModel> ConvertIndom(IndomModel indom, std::uint64_t offset);
  Result<MetaRecordModel> Expand(const IndomModel& delta, std::uint64_t offset);
  Result<MetaRecordModel> ConvertRaw(const RawRecordModel& raw, std::uint64_t offset);

  int to_;
  std::map<Indom, InstanceDomain> domains_;
  std::map<Indom, InstanceCursor> cursors_;
  std::map<std::uint64_t, Step> steps_;              // by the offset of the record
  std::map<std::uint64_t, const IndomRecord*> raw_;  // all instance domains, by offset
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_VERSION_CONVERTER_H_
