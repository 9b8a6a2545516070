// SPDX-License-Identifier: Apache-2.0
#include "validator/check/check.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <new>

#include "reference/archive/file_set.h"
#include "reference/core/on_threads.h"
#include "validator/check/archive_check.h"
#include "validator/check/set_check.h"

namespace pmproof::validator {
namespace {

// An archive of more bytes than this is checked by all threads together, smaller ones each by one.
constexpr std::uint64_t kLarge = std::uint64_t{64} << 20;

std::vector<CheckedMember> MembersOf(const archive::ArchiveGroup& group,
                                     const std::vector<archive::FoundArchive>& found,
                                     const std::vector<ArchiveReport>& reports) {
  std::vector<CheckedMember> members;
  for (const std::size_t i : group.members) members.push_back({&found[i], &reports[i]});
  return members;
}

ArchiveReport BeyondMemory(const std::string& name) {
  ArchiveReport report;
  report.archive = name;
  report.failure = archive::BeyondBudget(name);
  report.readable = false;
  report.conformant = false;
  report.not_checked.push_back({name, report.failure->message});
  return report;
}

// Adds the reports of sets.
void CheckSets(const archive::Storage& storage, const archive::ArchiveNames& names,
               const std::vector<archive::FoundArchive>& found, const Catalogue& catalogue,
               const CheckOptions& options, Report* report) {
  std::vector<archive::ArchiveGroup> groups = names.lists;
  if (options.sets) {
    groups.insert(groups.end(), names.directories.begin(), names.directories.end());
  }
  std::erase_if(groups, [](const auto& group) { return group.members.size() < 2; });
  if (groups.empty() || !ChecksSets(catalogue, options)) return;

  // A selection of rules does not make a broken archive sound.
  const RuleSelection& rules = options.rules;
  const bool all_rules = rules.only.empty() && rules.added.empty() && rules.removed.empty();
  std::vector<ArchiveReport> with_all_rules;
  if (!all_rules) {
    CheckOptions every = options;
    every.rules = {};
    with_all_rules.resize(names.names.size());
    for (const archive::ArchiveGroup& group : groups) {
      for (const std::size_t i : group.members) {
        if (!with_all_rules[i].archive.empty()) continue;
        with_all_rules[i] =
            ArchiveCheck(storage, found[i], catalogue, every, nullptr).Run(names.names[i]);
      }
    }
  }
  std::vector<ArchiveReport> sets;
  for (const archive::ArchiveGroup& group : groups) {
    sets.push_back(CheckSet(storage, group.name,
                            MembersOf(group, found, all_rules ? report->archives : with_all_rules),
                            catalogue, options));
  }
  std::move(sets.begin(), sets.end(), std::back_inserter(report->archives));
}

}  // namespace

archive::SourceLimits LimitsOf(const CheckOptions& options) {
  archive::SourceLimits limits = options.memory.Reading();
  limits.expansion_base = options.expansion_base;
  return limits;
}

ArchiveReport CheckArchive(const archive::Storage& storage, const std::string& name,
                           const Catalogue& catalogue, const CheckOptions& options) {
  const archive::FoundArchive found(storage, name);
  return ArchiveCheck(storage, found, catalogue, options, nullptr).Run(name);
}

Report CheckAll(const archive::Storage& storage, const std::vector<std::string>& arguments,
                const Catalogue& catalogue, const CheckOptions& options, ProgressSink* progress) {
  Report report;
  report.profile = options.profile;
  archive::ArchiveNames names = archive::ListArchives(storage, arguments, true);
  report.errors = std::move(names.errors);
  if (options.on_listed) options.on_listed(names.names.size());
  report.archives.resize(names.names.size());

  std::vector<archive::FoundArchive> found;
  std::vector<std::size_t> large;
  std::vector<std::size_t> small;
  std::uint64_t bytes = 0;
  found.reserve(names.names.size());
  for (std::size_t i = 0; i < names.names.size(); ++i) {
    found.emplace_back(storage, names.names[i], &names.listings);
    const std::uint64_t size = found.back().files().stored_size;
    bytes += size;
    (size > kLarge ? large : small).push_back(i);
  }
  if (progress != nullptr) progress->Expect(names.names.size(), bytes);

  CheckOptions alone = options;
  alone.jobs = 1;
  std::atomic<std::size_t> next{0};
  std::vector<std::uint8_t> out_of_memory(names.names.size());
  const auto check = [&](std::size_t i, const CheckOptions& how) {
    out_of_memory[i] = 0;
    try {
      report.archives[i] =
          ArchiveCheck(storage, found[i], catalogue, how, progress).Run(names.names[i]);
    } catch (const std::bad_alloc&) {
      report.archives[i] = BeyondMemory(names.names[i]);
      out_of_memory[i] = 1;
    }
  };
  const auto work = [&] {
    for (std::size_t k = next++; k < small.size(); k = next++) check(small[k], alone);
  };
  OnThreads(std::min<std::size_t>(options.jobs, small.size()), work);
  // One that took too much can have left too little to the others, which were checked meanwhile.
  for (const std::size_t i : small) {
    if (out_of_memory[i] != 0) check(i, alone);
  }
  for (const std::size_t i : large) check(i, options);
  CheckSets(storage, names, found, catalogue, options, &report);
  return report;
}

}  // namespace pmproof::validator
