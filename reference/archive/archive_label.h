#ifndef PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_LABEL_H_
#define PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_LABEL_H_

#include <cstdint>
#include <string>

#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/archive/source.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"

namespace pmproof::archive {

// The label record of one file of an archive (ARC-100, ARC-101). A value. Text fields end at the first
// NUL, at most size-1 bytes (ARC-102).
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

// Reads the label at the start of a file and leaves the source behind it. Reports what one label can
// show (ARC-1004, 1201..1204, 1206, 1212..1221, 1223, 1224, 1226). Errors: kNotAnArchive where there
// is no label that can be decoded (not enough bytes, magic, version), with its clause and PCP's code;
// and the source's.
Result<ArchiveLabel> ReadLabel(Source& source, Part part, const std::string& file_name, Reporter& reporter);

// Compares the label of one file with that of the lowest-numbered volume (ARC-105; rules ARC-1205,
// 1207..1211, 1225).
void CompareLabels(const ArchiveLabel& first, const ArchiveLabel& other, Part part, Reporter& reporter);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_LABEL_H_
