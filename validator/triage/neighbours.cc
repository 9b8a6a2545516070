// SPDX-License-Identifier: Apache-2.0
#include "validator/triage/neighbours.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::validator {
namespace {

// The members that have each name, ascending.
using Holders = std::map<std::string, std::vector<std::size_t>, std::less<>>;

// False if no reader opens it.
bool CollectNames(const archive::Storage& storage, const archive::FoundArchive& archive,
                  std::size_t member, const archive::MemoryBudget& budget, Holders& holders) {
  const auto opened = replay::ReplayArchive::OpenFound(storage, std::span(&archive, 1), budget);
  if (!opened) return false;
  for (const auto& [pmid, metric] : (*opened)->metrics()) {
    for (const std::string_view name : metric.names) {
      auto holder = holders.find(name);
      if (holder == holders.end()) holder = holders.emplace(name, Holders::mapped_type()).first;
      std::vector<std::size_t>& having = holder->second;
      if (having.empty() || having.back() != member) having.push_back(member);
    }
  }
  return true;
}

// The runs of members that are not among these.
std::vector<std::pair<std::size_t, std::size_t>> RunsWithout(
    const std::vector<std::size_t>& holding, std::size_t members) {
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  std::size_t next = 0;
  for (const std::size_t member : holding) {
    if (next < member) runs.emplace_back(next, member - 1);
    next = member + 1;
  }
  if (next < members) runs.emplace_back(next, members - 1);
  return runs;
}

void FindSeams(Neighbours& found, std::int64_t gap) {
  std::optional<std::size_t> latest;  // the member that ends last of those so far
  for (std::size_t i = 0; i < found.members.size(); ++i) {
    const Neighbour& member = found.members[i];
    if (!member.start || !member.finish) continue;
    if (latest) {
      const Timestamp end = *found.members[*latest].finish;
      if (end < *member.start) {
        const std::int64_t length = NanosecondsBetween(end, *member.start);
        if (length > gap) found.gaps.push_back({*latest, i, end, *member.start, length});
      } else if (*member.start < end) {
        const Timestamp to = std::min(end, *member.finish);
        found.overlaps.push_back(
            {*latest, i, *member.start, to, NanosecondsBetween(*member.start, to)});
      }
    }
    if (!latest || *found.members[*latest].finish < *member.finish) latest = i;
  }
}

}  // namespace

Neighbours FindNeighbours(const archive::Storage& storage, std::string directory,
                          std::vector<Neighbour> members, std::int64_t gap,
                          const archive::MemoryBudget& budget) {
  Neighbours found;
  found.directory = std::move(directory);
  std::ranges::stable_sort(members, [](const Neighbour& a, const Neighbour& b) {
    if (a.start.has_value() != b.start.has_value()) return a.start.has_value();
    return a.start < b.start;
  });
  found.members = std::move(members);
  FindSeams(found, gap);
  Holders holders;
  archive::ArchiveFinder finder(storage);  // there may be thousands in one directory
  for (std::size_t i = 0; i < found.members.size(); ++i) {
    Neighbour& member = found.members[i];
    if (!CollectNames(storage, finder.Find(member.name), i, budget, holders)) member.opens = false;
    if (!member.opens || !member.readable) found.hiding.push_back(i);
  }
  found.metrics = holders.size();
  for (const auto& [name, holds] : holders) {
    if (holds.size() == found.members.size()) continue;
    found.partial.push_back({name, RunsWithout(holds, found.members.size())});
  }
  return found;
}

}  // namespace pmproof::validator
