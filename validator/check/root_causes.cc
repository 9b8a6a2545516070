// SPDX-License-Identifier: Apache-2.0
#include "validator/check/root_causes.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <unordered_map>

namespace pmproof::validator {
namespace {

using archive::Part;
using Index = std::optional<std::size_t>;

// The findings of one rule.
struct OfRule {
  std::vector<std::size_t> by_offset;  // by part and offset
  std::vector<std::size_t> by_record;  // by part and record
};

class Causes {
 public:
  explicit Causes(const std::vector<Finding>& findings) : findings_(findings) {
    for (std::size_t i = 0; i < findings.size(); ++i) {
      rules_[findings[i].rule].by_offset.push_back(i);
    }
    for (auto& [rule, of_rule] : rules_) {
      of_rule.by_record = of_rule.by_offset;
      std::stable_sort(of_rule.by_offset.begin(), of_rule.by_offset.end(),
                       [&](std::size_t a, std::size_t b) { return Offset(a) < Offset(b); });
      std::stable_sort(of_rule.by_record.begin(), of_rule.by_record.end(),
                       [&](std::size_t a, std::size_t b) { return Record(a) < Record(b); });
    }
  }

  // A finding of `rule` in the scope of `finding`.
  Index Find(Clause rule, CauseScope scope, const Finding& finding,
             const VolumeOfEntry& volume_of_entry) const {
    const auto found = rules_.find(rule);
    if (found == rules_.end()) return std::nullopt;
    const OfRule& of_rule = found->second;
    const std::pair<Part, std::uint64_t> here(finding.part, finding.offset);
    switch (scope) {
      case CauseScope::kPlace: {
        const Index first = FirstFrom(of_rule, finding.part, finding.offset);
        return first && findings_[*first].offset == finding.offset ? first : std::nullopt;
      }
      case CauseScope::kRecord: {
        const std::pair<Part, std::uint64_t> record(finding.part, finding.record);
        const auto first =
            std::lower_bound(of_rule.by_record.begin(), of_rule.by_record.end(), record,
                             [&](std::size_t i, const auto& wanted) { return Record(i) < wanted; });
        return first != of_rule.by_record.end() && Record(*first) == record ? Index(*first)
                                                                            : std::nullopt;
      }
      case CauseScope::kFile: {
        const auto behind =
            std::upper_bound(of_rule.by_offset.begin(), of_rule.by_offset.end(), here,
                             [&](const auto& wanted, std::size_t i) { return wanted < Offset(i); });
        if (behind == of_rule.by_offset.begin()) return std::nullopt;
        const std::size_t last = *std::prev(behind);
        return findings_[last].part == finding.part ? Index(last) : std::nullopt;
      }
      case CauseScope::kEntry: {
        const std::optional<Part> volume = volume_of_entry(finding);
        return volume ? FirstFrom(of_rule, *volume, 0) : std::nullopt;
      }
      case CauseScope::kMetadata:
        return FirstFrom(of_rule, archive::kMetaPart, 0);
      case CauseScope::kVolumes: {
        const auto first = std::lower_bound(
            of_rule.by_offset.begin(), of_rule.by_offset.end(), 0,
            [&](std::size_t i, Part volume) { return findings_[i].part < volume; });
        return first != of_rule.by_offset.end() ? Index(*first) : std::nullopt;
      }
      case CauseScope::kArchive:
        return of_rule.by_offset.front();
    }
    return std::nullopt;
  }

 private:
  std::pair<Part, std::uint64_t> Offset(std::size_t i) const {
    return {findings_[i].part, findings_[i].offset};
  }
  std::pair<Part, std::uint64_t> Record(std::size_t i) const {
    return {findings_[i].part, findings_[i].record};
  }

  Index FirstFrom(const OfRule& of_rule, Part part, std::uint64_t offset) const {
    const auto first = std::lower_bound(
        of_rule.by_offset.begin(), of_rule.by_offset.end(), std::pair(part, offset),
        [&](std::size_t i, const auto& wanted) { return Offset(i) < wanted; });
    if (first == of_rule.by_offset.end() || findings_[*first].part != part) return std::nullopt;
    return *first;
  }

  const std::vector<Finding>& findings_;
  std::unordered_map<Clause, OfRule> rules_;
};

}  // namespace

void LinkCauses(const Catalogue& catalogue, const VolumeOfEntry& volume_of_entry,
                std::vector<Finding>& findings) {
  const Causes causes(findings);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    Finding& finding = findings[i];
    const Rule* rule = catalogue.Find(finding.rule);
    if (rule == nullptr) continue;
    for (const Rule::Cause& cause : rule->follows) {
      for (const Clause of : cause.of) {
        const Index found = causes.Find(of, cause.in, finding, volume_of_entry);
        if (!found || *found == i || findings[*found].severity < finding.severity) continue;
        if (!finding.follows || findings[*found].severity > findings[*finding.follows].severity) {
          finding.follows = found;
        }
      }
    }
  }
}

}  // namespace pmproof::validator
