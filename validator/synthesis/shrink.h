// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/core/clause.h"
#include "reference/core/status.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"
#include "validator/synthesis/write_files.h"
#include "validator/text/progress.h"

// Delta debugging of an archive: the smallest one found that keeps a finding.

namespace pmproof::validator {

struct ShrinkOptions {
  Clause rule;         // the finding that stays; not looked at with `keeps`
  std::string base;    // base name of the archive that comes out; further ones: base-2, base-3, ...
  CheckOptions check;  // how archives are checked; its rules and max_findings are not looked at
  // Whether an archive that came up has what is to stay, in place of a finding; `names` are the
  // archives among the files. Asked only where nothing new and grave was found.
  std::function<bool(const NamedFiles& files, const std::vector<std::string>& names)> keeps;
  // Asked before each check: whether it is time to stop. Without it all is tried.
  std::function<bool()> expired = [] { return false; };
  std::uint64_t memory = archive::MemoryBudget().Archive();  // the largest archive, uncompressed
};

struct ArchiveSize {
  std::uint64_t bytes = 0;    // uncompressed
  std::uint64_t records = 0;  // of metadata and data
};

struct Shrunk {
  NamedFiles files;
  ArchiveSize before;
  ArchiveSize after;
  std::uint64_t checks = 0;
  bool expired = false;           // more might have been left out
  std::vector<std::string> also;  // rules of the other findings in what came out
};

// Why nothing comes out.
struct ShrinkFailure {
  enum class Cause : std::uint8_t {
    kInput,      // it cannot be read, or is too large: `status` says why
    kNoFinding,  // the archive has no such finding
    kNotInFiles  // it has, and the files of the archive alone do not show it
  };
  Cause cause = Cause::kInput;
  Status status;
  std::vector<std::string> findings;  // kNoFinding: the rules of those that it has
};

// Leaves out archives of a set, files, records, damaged stretches, index entries, and what is in
// records, as long as the whole check still has the finding - of that severity, in .meta, a volume
// or .index; of several one - and none of another rule that is graver than info and was not there
// before. Volumes after one that goes are counted anew. The same archive gives the same result,
// but for the time at which it expires. Memory: some two times the uncompressed archive. `progress`
// is told the bytes that have gone; it may be null.
//
// `names`: an archive, or those that are checked together as a set (ARC-2101 to ARC-2109).
tl::expected<Shrunk, ShrinkFailure> Shrink(const archive::Storage& storage,
                                           const std::vector<std::string>& names,
                                           const Catalogue& catalogue, const ShrinkOptions& options,
                                           ProgressSink* progress);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_H_
