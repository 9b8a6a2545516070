// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/left_to.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace pmproof::validator::agent {
namespace {

using Outcomes = std::map<Clause, CheckOutcome>;

std::string Listed(const std::vector<Clause>& ids) {
  std::string text;
  for (const Clause id : ids) text += (text.empty() ? "" : ", ") + id.ToString();
  return text;
}

void Settle(Verdict* verdict, bool reported) {
  verdict->because +=
      " (" + Listed(verdict->left_to) + (reported ? ")" : " had no occasion to report it)");
  if (!reported) verdict->outcome = Outcome::kFail;
  verdict->left_to.clear();
}

}  // namespace

void SettleWhatWasLeft(Outcomes* outcomes) {
  std::set<Clause> open;
  for (const auto& [id, outcome] : *outcomes) {
    if (!outcome.verdict.left_to.empty()) open.insert(id);
  }
  const auto failed = [&](Clause id) {
    const auto made = outcomes->find(id);
    return made != outcomes->end() && made->second.verdict.outcome == Outcome::kFail;
  };
  while (!open.empty()) {
    bool settled = false;
    for (auto next = open.begin(); next != open.end();) {
      const Clause id = *next;
      Verdict& verdict = outcomes->at(id).verdict;
      const auto waits = [&](Clause other) { return other != id && open.contains(other); };
      const bool reported = std::ranges::any_of(verdict.left_to, failed);
      if (!reported && std::ranges::any_of(verdict.left_to, waits)) {
        ++next;
        continue;
      }
      Settle(&verdict, reported);
      next = open.erase(next);
      settled = true;
    }
    if (settled) continue;
    // They leave it to each other: the first of them tells.
    Settle(&outcomes->at(*open.begin()).verdict, /*reported=*/false);
    open.erase(open.begin());
  }
}

}  // namespace pmproof::validator::agent
