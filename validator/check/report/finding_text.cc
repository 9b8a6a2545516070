// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/finding_text.h"

#include "reference/archive/layout.h"

namespace pmproof::validator {

std::string PathOf(const ArchiveReport& archive, const Finding& finding) {
  if (!archive.members.empty()) return finding.file;  // of sets with their directories
  if (finding.part == archive::kWholeArchive) return archive.archive;
  const std::size_t slash = archive.archive.rfind('/');
  return (slash == std::string::npos ? "" : archive.archive.substr(0, slash + 1)) + finding.file;
}

std::string PlaceText(const Finding& finding) {
  if (finding.part == archive::kWholeArchive) return "the whole archive";
  return "byte offset " + std::to_string(finding.offset) + ", record " +
         std::to_string(finding.record);
}

std::string MessageOf(const Finding& finding, const Catalogue& catalogue) {
  std::string text = finding.message;
  if (text.empty()) {
    const Rule* rule = catalogue.Find(finding.rule);
    text = rule != nullptr ? "violates: " + std::string(rule->title) : finding.rule.ToString();
  }
  if (!finding.actual.empty() || !finding.expected.empty()) {
    text += " (" + finding.field + (finding.field.empty() ? "" : ": ") + finding.actual;
    if (!finding.expected.empty()) {
      text += (finding.actual.empty() ? "expected " : ", expected ") + finding.expected;
    }
    text += ")";
  }
  if (finding.count > 1) text += "; " + std::to_string(finding.count - 1) + " more from here on";
  return text;
}

}  // namespace pmproof::validator
