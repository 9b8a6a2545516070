// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/compare_archive.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "reference/archive/file_set.h"

namespace pmproof::validator {
namespace {

archive::Part PartOf(const CertifiedFile& file) {
  const auto name = archive::ParseFileName(file.name);
  return name ? name->part : archive::kWholeArchive;
}

bool SameContent(const CertifiedFile& a, const CertifiedFile& b) {
  return a.stored == b.stored || (a.content && a.content == b.content);
}

// What makes a finding the same one.
auto Key(const Finding& finding) {
  return std::tie(finding.part, finding.offset, finding.record, finding.rule, finding.severity,
                  finding.field, finding.count);
}

bool Before(const Finding* a, const Finding* b) { return Key(*a) < Key(*b); }

std::vector<const Finding*> Sorted(const std::vector<Finding>& findings) {
  std::vector<const Finding*> sorted;
  sorted.reserve(findings.size());
  for (const Finding& finding : findings) sorted.push_back(&finding);
  std::stable_sort(sorted.begin(), sorted.end(), Before);
  return sorted;
}

}  // namespace

const char* ToText(FileState state) {
  switch (state) {
    case FileState::kUnchanged:
      return "unchanged";
    case FileState::kRecompressed:
      return "recompressed";
    case FileState::kChanged:
      return "changed";
    case FileState::kMissing:
      return "missing";
    case FileState::kNew:
      return "new";
  }
  return "?";
}

const char* ToText(ArchiveState state) {
  switch (state) {
    case ArchiveState::kUnchanged:
      return "unchanged";
    case ArchiveState::kRecompressed:
      return "recompressed";
    case ArchiveState::kChanged:
      return "changed";
    case ArchiveState::kMissing:
      return "missing";
    case ArchiveState::kNotCertified:
      return "not certified";
    case ArchiveState::kNoAnswer:
      return "no answer";
  }
  return "?";
}

std::vector<FileComparison> CompareFiles(const std::vector<CertifiedFile>& certified,
                                         const std::vector<CertifiedFile>& now) {
  std::map<std::string_view, const CertifiedFile*> by_name;
  for (const CertifiedFile& file : now) by_name.emplace(file.name, &file);
  std::vector<FileComparison> files;
  std::vector<const CertifiedFile*> gone;
  for (const CertifiedFile& file : certified) {
    const auto same = by_name.find(file.name);
    FileComparison& compared = files.emplace_back();
    compared.name = file.name;
    compared.state = FileState::kMissing;
    if (same == by_name.end()) continue;
    compared.now = file.name;
    compared.state = same->second->stored == file.stored ? FileState::kUnchanged
                     : SameContent(file, *same->second)  ? FileState::kRecompressed
                                                         : FileState::kChanged;
    by_name.erase(same);
  }
  // Files that stand for the parts of those that are gone.
  std::multimap<archive::Part, const CertifiedFile*> by_part;
  for (const auto& [name, file] : by_name) by_part.emplace(PartOf(*file), file);
  for (std::size_t i = 0; i < certified.size(); ++i) {
    if (files[i].state != FileState::kMissing) continue;
    const auto [begin, end] = by_part.equal_range(PartOf(certified[i]));
    if (begin == end) continue;
    auto stands = std::find_if(
        begin, end, [&](const auto& entry) { return SameContent(certified[i], *entry.second); });
    files[i].state = stands == end ? FileState::kChanged : FileState::kRecompressed;
    if (stands == end) stands = begin;
    files[i].now = stands->second->name;
    by_name.erase(stands->second->name);
    by_part.erase(stands);
  }
  for (const auto& [name, file] : by_name) {
    FileComparison& compared = files.emplace_back();
    compared.state = FileState::kNew;
    compared.name = compared.now = file->name;
  }
  return files;
}

ArchiveState StateOf(const std::vector<FileComparison>& files) {
  const auto is = [](FileState state) {
    return [state](const FileComparison& file) { return file.state == state; };
  };
  if (std::ranges::all_of(files, is(FileState::kMissing))) return ArchiveState::kMissing;
  const bool same = std::ranges::all_of(files, [&](const FileComparison& file) {
    return file.state == FileState::kUnchanged || file.state == FileState::kRecompressed;
  });
  if (!same) return ArchiveState::kChanged;
  return std::ranges::any_of(files, is(FileState::kRecompressed)) ? ArchiveState::kRecompressed
                                                                  : ArchiveState::kUnchanged;
}

// The items of two sorted lists that only one of them has, as differences of that kind.
template <typename Difference, typename T, typename Less>
std::vector<Difference> CompareSorted(const std::vector<const T*>& before,
                                      const std::vector<const T*>& after, const Less& less) {
  std::vector<Difference> differences;
  auto b = before.begin();
  auto a = after.begin();
  while (b != before.end() || a != after.end()) {
    if (a == after.end() || (b != before.end() && less(*b, *a))) {
      differences.push_back({false, **b++});
    } else if (b == before.end() || less(*a, *b)) {
      differences.push_back({true, **a++});
    } else {
      ++a;
      ++b;
    }
  }
  return differences;
}

std::vector<FindingDifference> CompareFindings(const std::vector<Finding>& certified,
                                               const std::vector<Finding>& now) {
  return CompareSorted<FindingDifference>(Sorted(certified), Sorted(now), Before);
}

std::vector<UnmetDifference> CompareUnmet(const std::vector<PolicyFinding>& certified,
                                          const std::vector<PolicyFinding>& now) {
  const auto less = [](const PolicyFinding* a, const PolicyFinding* b) {
    return std::tie(a->check, a->severity, a->message) <
           std::tie(b->check, b->severity, b->message);
  };
  const auto sorted = [&](const std::vector<PolicyFinding>& findings) {
    std::vector<const PolicyFinding*> list;
    for (const PolicyFinding& finding : findings) list.push_back(&finding);
    std::ranges::stable_sort(list, less);
    return list;
  };
  return CompareSorted<UnmetDifference>(sorted(certified), sorted(now), less);
}

}  // namespace pmproof::validator
