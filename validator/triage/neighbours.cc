// SPDX-License-Identifier: Apache-2.0
#include "validator/triage/neighbours.h"

#include <algorithm>
#include <map>
#include <memory>

#include "reference/replay/replay_archive.h"

namespace pmproof::validator {
namespace {

// The members that have each name.
using Holders = std::map<std::string, std::vector<bool>, std::less<>>;

// False if no reader opens it.
bool CollectNames(const archive::Storage& storage, const Neighbours& found, std::size_t member,
                  const archive::MemoryBudget& budget, Holders& holders) {
  const auto archive = replay::ReplayArchive::Open(storage, {found.members[member].name}, budget);
  if (!archive) return false;
  for (const auto& [pmid, metric] : (*archive)->metrics()) {
    for (const std::string_view name : metric.names) {
      auto holder = holders.find(name);
      if (holder == holders.end()) {
        holder = holders.emplace(name, std::vector<bool>(found.members.size(), false)).first;
      }
      holder->second[member] = true;
    }
  }
  return true;
}

std::vector<std::pair<std::size_t, std::size_t>> RunsWithout(const std::vector<bool>& holds) {
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  for (std::size_t i = 0; i < holds.size(); ++i) {
    if (holds[i]) continue;
    if (!runs.empty() && runs.back().second + 1 == i) {
      runs.back().second = i;
    } else {
      runs.emplace_back(i, i);
    }
  }
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
  for (std::size_t i = 0; i < found.members.size(); ++i) {
    Neighbour& member = found.members[i];
    if (!CollectNames(storage, found, i, budget, holders)) member.opens = false;
    if (!member.opens || !member.readable) found.hiding.push_back(i);
  }
  found.metrics = holders.size();
  for (const auto& [name, holds] : holders) {
    if (std::ranges::find(holds, false) == holds.end()) continue;
    found.partial.push_back({name, RunsWithout(holds)});
  }
  return found;
}

}  // namespace pmproof::validator
