// SPDX-License-Identifier: Apache-2.0
#include "validator/triage/directories.h"

#include <algorithm>
#include <map>
#include <utility>

#include "reference/archive/file_set.h"
#include "validator/check/set_check.h"
#include "validator/triage/listed_storage.h"
#include "validator/triage/neighbours.h"

namespace pmproof::validator {
namespace {

bool SelectsRules(const RuleSelection& rules) {
  return !rules.only.empty() || !rules.added.empty() || !rules.removed.empty();
}

bool LacksMeta(const ArchiveReport& report) {
  return std::ranges::any_of(
      report.findings, [](const Finding& finding) { return finding.rule == "ARC-1001"_clause; });
}

// Made again with all rules; those of `reports` are replaced.
void CheckWithAllRules(const archive::Storage& storage, const Catalogue& catalogue,
                       const CheckOptions& options, std::vector<ArchiveReport>* reports) {
  CheckOptions every = options;
  every.rules = {};
  for (ArchiveReport& report : *reports) {
    report = CheckArchive(storage, report.archive, catalogue, every);
  }
}

}  // namespace

std::vector<Directory> FindDirectories(const archive::Storage& storage,
                                       const std::vector<ArchiveReport>& archives) {
  std::map<std::string, Directory> directories;
  for (const ArchiveReport& archive : archives) {
    if (LacksMeta(archive)) continue;
    const std::string name = archive::ResolveName(storage, archive.archive).directory;
    Directory& directory = directories[name];
    directory.name = name;
    directory.members.push_back(&archive);
  }
  std::vector<Directory> found;
  for (auto& [name, directory] : directories) {
    if (directory.members.size() > 1) found.push_back(std::move(directory));
  }
  return found;
}

ArchiveReport CheckDirectory(const archive::Storage& storage, const Directory& directory,
                             const Catalogue& catalogue, const CheckOptions& options) {
  archive::ArchiveFinder finder(storage);
  std::vector<archive::FoundArchive> found;
  found.reserve(directory.members.size());
  std::vector<CheckedMember> members;
  for (const ArchiveReport* member : directory.members) {
    found.push_back(finder.Find(member->archive));
    members.push_back({&found.back(), member});
  }
  return CheckSet(storage, directory.name, members, catalogue, options);
}

Neighbours NeighboursOf(const archive::Storage& storage, const ArchiveReport& set,
                        const std::vector<const ArchiveReport*>& members,
                        const TriageOptions& options) {
  std::vector<Neighbour> neighbours;
  for (const ArchiveReport* member : members) {
    const bool undecided = member->failure || !member->internal_errors.empty();
    neighbours.push_back({.name = member->archive,
                          .start = member->summary.start,
                          .finish = member->summary.finish,
                          .opens = true,
                          .readable = undecided || member->readable});
  }
  Neighbours found = FindNeighbours(storage, set.archive, std::move(neighbours), options.gap,
                                    options.check.memory);
  found.findings = set.findings;
  return found;
}

KnownSets CheckKnownSets(const archive::Storage& storage, std::vector<ArchiveReport> archives,
                         const Catalogue& catalogue, const TriageOptions& options, bool triage) {
  if (SelectsRules(options.check.rules)) {
    CheckWithAllRules(storage, catalogue, options.check, &archives);
  }
  const ListedStorage listed(storage);
  KnownSets known;
  for (const Directory& directory : FindDirectories(listed, archives)) {
    known.sets.push_back(CheckDirectory(listed, directory, catalogue, options.check));
    if (!triage) continue;
    known.notes.emplace_back().set =
        NeighboursOf(listed, known.sets.back(), directory.members, options);
  }
  return known;
}

}  // namespace pmproof::validator
