// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_ENCODE_H_
#define PMPROOF_REFERENCE_ARCHIVE_ENCODE_H_

#include <cstdint>
#include <vector>

#include "reference/archive/model.h"

// Model -> bytes, canonically (ARC-601, ARC-602, ARC-604). Each function appends one whole record
// (or index entry) to `out`. Version is 2 or 3. Nothing is checked here: a wrong model makes a
// wrong record. Lengths that do not fit their field are cut to its width.

namespace pmproof::archive {

using Buffer = std::vector<std::uint8_t>;

void AppendLabel(const LabelModel& label, Buffer* out);
void AppendMetaRecord(const MetaRecordModel& record, int version, Buffer* out);
void AppendResult(const ResultModel& result, int version, Buffer* out);
void AppendIndexEntry(const IndexEntryModel& entry, int version, Buffer* out);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_ENCODE_H_
