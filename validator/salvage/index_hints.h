// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_INDEX_HINTS_H_
#define PMPROOF_VALIDATOR_SALVAGE_INDEX_HINTS_H_

#include <cstdint>
#include <map>
#include <optional>

#include "reference/archive/file_set.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "validator/check/check.h"
#include "validator/salvage/choose_label.h"

namespace pmproof::validator {

// What the index of a broken archive knows of the other files. A file that is cut between two
// records looks whole by itself; an entry that points after its end says that it is not.
struct IndexHints {
  // An entry that points into a volume.
  struct Record {
    Timestamp time;
    std::uint64_t offset = 0;
  };

  std::map<archive::Part, Record> furthest;  // of each volume that is there: the last entry
  std::optional<archive::Part> last_volume;  // that an entry names
  Timestamp last_time;                       // of the last entry
  std::uint64_t meta_end = 0;                // .meta had so many bytes at least
};

// Nothing is said by an index that is not there, cannot be read, or is not in order itself
// (ARC-1902, 1904..1908, 1916, 1926): a damaged index must not invent losses. Errors: what is no
// damage.
Result<IndexHints> ReadIndexHints(const archive::Storage& storage, const archive::FileSet& files,
                                  const ChosenLabel& chosen, const CheckOptions& options);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_INDEX_HINTS_H_
