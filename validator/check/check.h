// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_CHECK_H_
#define PMPROOF_VALIDATOR_CHECK_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/archive/memory_budget.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/archive/time_zone.h"
#include "reference/core/timestamp.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/report/report.h"
#include "validator/check/rule_selection.h"
#include "validator/text/progress.h"

namespace pmproof::validator {

struct CheckOptions {
  Profile profile = Profile::kArchival;
  std::uint64_t max_findings = 20;  // of each rule; what follows is folded into one
  RuleSelection rules;
  // Of findings of these rules that are folded it is told, too, which metrics they are about
  // (Finding::folded).
  std::vector<Clause> by_metric;
  bool disclose = false;  // what it tells of people and machines is reported too
  bool picture = false;   // what a page draws of it is collected too; reads all files once more
  bool contents = false;  // digests of the files are made too, before anything else is read
  bool sets = false;      // the archives of each directory are checked as a set too
  unsigned jobs = 1;      // threads
  Timestamp now;          // rules on times in the future compare with this
  const archive::ZoneChecker* zones =
      nullptr;  // knows time zones (ARC-1223); without it every name is good
  // Bytes of a volume, or of .meta, that one of several threads looks at at a time, at most.
  std::size_t stretch = std::size_t{128} << 20;
  // Of each archive. Beyond it there is no verdict (Status::Kind::kBudget).
  // The decoder of what `xz -9` makes takes 65 MiB of it.
  archive::MemoryBudget memory{std::size_t{128} << 20};
  std::uint64_t expansion_base = std::uint64_t{1} << 30;  // of compressed files: see SourceLimits
  // Told how many archives there are before the first is checked; may be empty.
  std::function<void(std::size_t archives)> on_listed;
};

// What reading a compressed file may take.
archive::SourceLimits LimitsOf(const CheckOptions& options);

// Checks the archive that `name` stands for (ARC-038). What cannot be checked at all has `failure`
// set. The report does not depend on `jobs`.
ArchiveReport CheckArchive(const archive::Storage& storage, const std::string& name,
                           const Catalogue& catalogue, const CheckOptions& options);

// Checks every archive that the arguments name (archives, any file of one, directories with all
// below them), in the order of ListArchives; then the archives of each comma list, and if
// options.sets of each directory, as a set (ARC-2101..2109), where there are two or more.
// `progress` may be null.
Report CheckAll(const archive::Storage& storage, const std::vector<std::string>& arguments,
                const Catalogue& catalogue, const CheckOptions& options, ProgressSink* progress);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_CHECK_H_
