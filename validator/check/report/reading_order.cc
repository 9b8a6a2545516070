// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/reading_order.h"

#include <algorithm>
#include <map>
#include <utility>

namespace pmproof::validator {
namespace {

// The chain of causes ends: rules follow each other without a circle (catalogue_test.py). A report
// that has one all the same loses nothing: its findings stand for themselves.
std::size_t RootOf(const std::vector<Finding>& findings, std::size_t i) {
  for (std::size_t steps = 0; findings[i].follows && steps < findings.size(); ++steps) {
    i = *findings[i].follows;
  }
  return i;
}

}  // namespace

std::vector<RootCause> InReadingOrder(const std::vector<Finding>& findings) {
  std::vector<RootCause> roots;
  std::vector<std::size_t> position(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].follows) continue;
    position[i] = roots.size();
    roots.push_back({i, {}});
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!findings[i].follows) continue;
    const std::size_t root = RootOf(findings, i);
    if (findings[root].follows) {
      roots.push_back({i, {}});
    } else {
      roots[position[root]].followers.push_back(i);
    }
  }
  std::stable_sort(roots.begin(), roots.end(), [&](const RootCause& a, const RootCause& b) {
    return findings[a.finding].severity > findings[b.finding].severity;
  });
  return roots;
}

std::vector<RuleTotal> TotalsByRule(const Report& report) {
  std::map<std::pair<int, Clause>, RuleTotal> totals;
  for (const ArchiveReport& archive : report.archives) {
    std::map<std::pair<int, Clause>, std::uint64_t> own;
    for (const Finding& finding : archive.findings) {
      own[{-static_cast<int>(finding.severity), finding.rule}] += finding.count;
    }
    for (const auto& [key, count] : own) {
      RuleTotal& total = totals[key];
      total.rule = key.second;
      total.severity = static_cast<Severity>(-key.first);
      total.findings += count;
      ++total.archives;
    }
  }
  std::vector<RuleTotal> sorted;
  for (const auto& [key, total] : totals) sorted.push_back(total);
  return sorted;
}

}  // namespace pmproof::validator
