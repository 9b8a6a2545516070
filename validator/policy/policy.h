// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_POLICY_POLICY_H_
#define PMPROOF_VALIDATOR_POLICY_POLICY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/clause.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "validator/catalogue/catalogue.h"

// What the owner of archives demands of them beyond PCP's format, and what of it they put up with.
// The file is TOML or JSON (schema/policy.schema.json); docs/commands/policy.md is for its authors.

namespace pmproof::validator::policy {

// Where an entry applies; without members everywhere.
struct Place {
  std::optional<std::string> archive{};  // a pattern as MatchesPath() has it
  std::optional<std::string> host{};     // a pattern for the host of the archive's label
  // A pattern for a name of the metric that a finding is about, or for its identifier where it has
  // none. Not of what is required.
  std::optional<std::string> metric{};
};

// A rule whose findings have another severity. The first entry that fits a finding counts. What is
// fatal stays so: no policy makes an archive readable.
struct Reclassify {
  std::uint64_t line = 0;
  Clause rule;
  Severity severity = Severity::kInfo;
  std::string reason;
  std::string until_text;          // "2026-12-31"; empty: for ever
  std::optional<Timestamp> until;  // the end of that day, UTC
  Place where;
};

// Facts that must be so. Lists are of patterns as Matches() has them where nothing else is said.
struct Require {
  std::uint64_t line = 0;
  Severity severity = Severity::kError;  // of the finding where one of them is not
  std::string reason;
  Place where;

  std::vector<std::string> metrics;          // each is the name of a metric
  std::optional<std::int64_t> min_span;      // ns, from the first record to the last
  std::optional<std::int64_t> max_interval;  // ns, that is typical (ArchiveInfo::median_interval)
  std::optional<std::int64_t> max_gap;       // ns, between data records, marks or not
  std::vector<std::string> hosts;            // one is the host of the label
  std::vector<std::string> label_keys;       // each is a name in the archive's context labels
  std::vector<std::string> time_zones;       // one is the timezone or the zoneinfo of the label
  std::vector<std::string> compression;      // of each volume one of these: "none", "zstd", ...
  std::vector<std::int64_t> versions;        // of the archive one of these
};

struct Policy {
  std::string file;
  std::optional<Profile> profile;
  std::vector<Reclassify> reclassify;  // by line, as `require`
  std::vector<Require> require;
};

inline constexpr std::size_t kMostEntries = 1000;  // of each of the two lists
inline constexpr std::size_t kMostItems = 1000;    // of a list in an entry

// "ARC-1227 is info where host is web*"
std::string Describe(const Reclassify& entry);
// "2 metrics, span at least 23 h 00 min where archive is web*/*"
std::string Describe(const Require& entry);

// Error: kUsage, with the file and "line N: ": what is wrong first.
Result<Policy> ParsePolicy(std::string_view text, const std::string& file,
                           const Catalogue& catalogue);

}  // namespace pmproof::validator::policy

#endif  // PMPROOF_VALIDATOR_POLICY_POLICY_H_
