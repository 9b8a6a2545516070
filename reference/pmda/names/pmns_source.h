// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_PMNS_SOURCE_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_PMNS_SOURCE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/pmda/names/diagnosis.h"
#include "reference/pmda/names/name_tree.h"
#include "reference/pmda/names/preprocessor.h"
#include "reference/pmda/names/text_file.h"

// PMNS source (14.1): text to a name space and back.

namespace pmproof::pmda {

// PMD-304: whether a PMID may have several names. pmcd allows it unless started with -N; dynamic
// roots may always be repeated [Q].
enum class PmidNames : std::uint8_t { kMany, kOne };

struct PmnsSource {
  NameTree names{};
  std::vector<Diagnosis> warnings{};
};

// How a source is read that is not a name space by itself.
struct PmnsReading {
  PmidNames allowed = PmidNames::kMany;
  Macros given{};  // see Preprocess
  // PMD-330: an agent's `pmns` has no node `root`: the nodes below no other are those at the top,
  // as are entries with a PMID outside of all nodes.
  bool fragment = false;
};

// The first error ends it, as PCP's loader refuses the whole file (PM_ERR_PMNS). Stricter than PCP
// in three points: numbers too large for it (PCP wraps them round), ":" at the beginning or the
// end of a line (PCP ignores it), and NUL bytes are errors. Time and memory are linear in the text
// and what it includes.
tl::expected<PmnsSource, Diagnosis> ReadPmns(std::string_view text, const std::string& file,
                                             const IncludeReader& includes = NoIncludes(),
                                             PmidNames allowed = PmidNames::kMany);

tl::expected<PmnsSource, Diagnosis> ReadPmns(std::string_view text, const std::string& file,
                                             const IncludeReader& includes,
                                             const PmnsReading& reading);

// The file at `path`; #include looks in the current folder, in that of the file, in `folders`.
tl::expected<PmnsSource, Diagnosis> ReadPmnsFile(const std::string& path,
                                                 std::vector<std::string> folders = {},
                                                 PmidNames allowed = PmidNames::kMany);

// A source that reads back as the same tree. The error names a name that no source can give: one
// whose line would be longer than PMD-305 allows.
tl::expected<std::string, Diagnosis> WritePmns(const NameTree& tree);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_PMNS_SOURCE_H_
