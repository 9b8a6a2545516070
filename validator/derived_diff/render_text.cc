// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "validator/derived_diff/derived_text.h"
#include "validator/derived_diff/render_derived.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

class DerivedText {
 public:
  DerivedText(const DerivedReport& report, const Screen& screen, std::ostream& out)
      : report_(report), screen_(screen), out_(out) {}

  void Write() {
    const DerivedComparison& found = report_.found;
    out_ << "baseline " << Bold(report_.baseline) << ", candidate " << Bold(report_.candidate)
         << '\n'
         << Styled(screen_, found.findings.empty() ? Style::kGreen : Style::kYellow,
                   VerdictText(found))
         << ' ' << ExtentText(found) << '\n';
    for (const DefinitionFinding& finding : found.findings) WriteFinding(finding);
    for (const std::size_t definition : found.refused) {
      const ComparedDefinition& compared = found.definitions[definition];
      Line("\n", Place(compared.origin) + compared.definition.name + ": both refuse it");
    }
    const std::string* names[] = {&report_.baseline, &report_.candidate};
    for (std::size_t side : {0, 1}) {
      for (const auto& [archive, why] : found.unanswered[side]) {
        Warn(UnansweredText(archive, *names[side], why));
      }
    }
    for (const Status& error : found.errors) Warn("not compared: " + error.ToText());
  }

 private:
  std::string Bold(const std::string& text) const {
    return Styled(screen_, Style::kBold, Displayable(text));
  }
  void Line(const char* indent, const std::string& text) {
    out_ << indent << Displayable(text) << '\n';
  }
  void Warn(const std::string& text) {
    out_ << Styled(screen_, Style::kRed, Displayable(text)) << '\n';
  }

  static std::string Place(const SourceLine& origin) {
    const std::string place = PlaceText(origin);
    return place.empty() ? "" : place + ": ";
  }

  void WriteFinding(const DefinitionFinding& finding) {
    const ComparedDefinition& compared = report_.found.definitions[finding.definition];
    out_ << '\n' << Bold(Place(compared.origin) + compared.definition.name) << '\n';
    Line("  ", compared.definition.name + " = " + compared.definition.expression);
    Line("  ", WhatText(finding) + (finding.clause.empty() ? "" : " [" + finding.clause + "]") +
                   " " + ArchivesText(finding));
    const std::size_t width = std::max(report_.baseline.size(), report_.candidate.size());
    const auto said = [&](const std::string& name, const std::string& text) {
      Line("    ", name + std::string(width - name.size() + 2, ' ') + SaidText(text));
    };
    said(report_.baseline, finding.baseline);
    said(report_.candidate, finding.candidate);
  }

  const DerivedReport& report_;
  const Screen& screen_;
  std::ostream& out_;
};

}  // namespace

void RenderDerivedText(const DerivedReport& report, const Screen& screen, std::ostream& out) {
  DerivedText(report, screen, out).Write();
}

}  // namespace pmproof::validator
