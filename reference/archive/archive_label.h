// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_LABEL_H_
#define PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_LABEL_H_

#include <cstdint>
#include <string>

#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/archive/source.h"
#include "reference/archive/time_zone.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"

namespace pmproof::archive {

// The label record of one file of an archive (ARC-100, ARC-101). A value. Text fields end at the
// first NUL, at most size-1 bytes (ARC-102).
struct ArchiveLabel {
  int version = 0;  // 2 or 3
  std::int32_t pid = 0;
  Timestamp start;
  std::int32_t fraction = 0;  // of the start, as stored
  Part part = 0;              // the volume field
  std::uint32_t features = 0;
  std::uint32_t reserved = 0;
  std::string host;
  std::string timezone;
  std::string zoneinfo;
};

// Reads the label at the start of a file and leaves the source after it. Reports what one label
// can show: ARC-1004, 1201..1204, 1206, 1212..1221, 1223, 1224, 1226, each fact by one rule:
//   - A start beyond 2^31 s is ARC-1226 and not also in the future (ARC-1220).
//   - Time zones: one with control characters, or in the form ":name" in the timezone field, is
//     ARC-1224; any other that is neither a POSIX TZ string nor a known zone is ARC-1223. Without
//     `zones` every name that the tz database could have counts as known.
//   - A file of fewer than 4 bytes is ARC-1004. One that ends inside the label is ARC-1202 if only
//     the trailing word is cut, else ARC-1201.
// `now` (of the clock, or as the caller likes) is what ARC-1220 holds the start against.
//
// Where the magic and version are right, wrong length words do not stop it: the label ends where
// its version says, or where both length words agree on another place after that.
//
// Errors, already reported: kNotAnArchive where nothing says that this is an archive's file (too
// short, other magic), kDamaged for a label that is cut or of another version, with the rule and
// PCP's code; and those of the source.
Result<ArchiveLabel> ReadLabel(Source& source, Part part, const std::string& file_name,
                               Timestamp now, Reporter& reporter,
                               const ZoneChecker* zones = nullptr);

// Compares the label of one file with that of the lowest-numbered volume (ARC-105) and reports
// against that file: ARC-1205 for the version; for each other field that differs ARC-1207 (pid),
// 1208 (host), 1209 (start), 1210 (timezone), 1211 (zoneinfo) in .meta and .index, and ARC-1225 in
// a later volume. Features and the reserved word are not compared: their only right value is known
// to ReadLabel.
void CompareLabels(const ArchiveLabel& first, const ArchiveLabel& other, Part part,
                   Reporter& reporter);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_LABEL_H_
