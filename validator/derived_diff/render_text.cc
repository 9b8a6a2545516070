// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <string>

#include "validator/derived_diff/render_derived.h"
#include "validator/rules_diff/comparison_text.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

std::string Place(const SourceLine& line) {
  return line.file.empty() ? "" : line.file + ":" + std::to_string(line.line) + ": ";
}

class DerivedText {
 public:
  DerivedText(const DerivedReport& report, const Screen& screen, std::ostream& out)
      : report_(report), screen_(screen), out_(out) {}

  void Write() {
    const DerivedComparison& found = report_.found;
    std::set<std::size_t> changed;
    for (const DefinitionFinding& finding : found.findings) changed.insert(finding.definition);
    out_ << "baseline " << Bold(report_.baseline) << ", candidate " << Bold(report_.candidate)
         << '\n'
         << Styled(screen_, changed.empty() ? Style::kGreen : Style::kYellow,
                   (changed.empty() ? "none" : std::to_string(changed.size())) +
                       std::string(" of ") + Plural(found.definitions.size(), "definition") +
                       (changed.size() == 1 ? " changes its meaning" : " change their meaning"))
         << " over " << Plural(found.archives.size(), "archive") << " ("
         << Plural(found.values, "value") << " compared)\n";
    for (const DefinitionFinding& finding : found.findings) WriteFinding(finding);
    for (const std::size_t definition : found.refused) {
      const ComparedDefinition& compared = found.definitions[definition];
      Line("\n", Place(compared.origin) + compared.definition.name + ": both refuse it");
    }
    const std::string* names[] = {&report_.baseline, &report_.candidate};
    for (std::size_t side : {0, 1}) {
      for (const auto& [archive, why] : found.unanswered[side]) {
        Warn(archive + ": no answer of " + *names[side] + ": " + KindText(why.kind) + ": " +
             why.text);
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

  static std::string What(const DefinitionFinding& finding) {
    switch (finding.kind) {
      case DefinitionFinding::Kind::kRefused:
        return "one side refuses it";
      case DefinitionFinding::Kind::kDescriptor:
        return "it has another descriptor";
      case DefinitionFinding::Kind::kValues:
        break;
    }
    std::string text =
        Plural(finding.differing, "value") + (finding.differing == 1 ? " differs" : " differ");
    text += ", first at " + finding.time;
    if (finding.instance) text += " instance " + std::to_string(*finding.instance);
    return text;
  }

  void WriteFinding(const DefinitionFinding& finding) {
    const ComparedDefinition& compared = report_.found.definitions[finding.definition];
    out_ << '\n' << Bold(Place(compared.origin) + compared.definition.name) << '\n';
    Line("  ", compared.definition.name + " = " + compared.definition.expression);
    Line("  ", What(finding) + (finding.clause.empty() ? "" : " [" + finding.clause + "]") +
                   " in " + finding.archive +
                   (finding.archives > 1 ? " and " + std::to_string(finding.archives - 1) + " more"
                                         : ""));
    const std::size_t width = std::max(report_.baseline.size(), report_.candidate.size());
    const auto said = [&](const std::string& name, const std::string& text) {
      Line("    ",
           name + std::string(width - name.size() + 2, ' ') + (text.empty() ? "no value" : text));
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
