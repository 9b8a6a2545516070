// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/check_catalogue.h"
#include "validator/catalogue/spec_text.h"
#include "validator/cli/command_table.h"
#include "validator/cli/identifier.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

class Page {
 public:
  Page(const Environment& environment, const CheckCatalogue& checks, const SpecText& spec)
      : catalogue_(environment.catalogue),
        checks_(checks),
        spec_(spec),
        screen_(environment.out_screen),
        out_(environment.out) {}

  // False if there is neither a rule nor a clause of that name.
  bool Write(Clause id) {
    if (const CheckEntry* const check = checks_.Find(id)) {
      WriteCheck(*check);
      return true;
    }
    const Rule* rule = catalogue_.Find(id);
    if (rule == nullptr && spec_.Find(id).empty()) return false;
    if (rule != nullptr) {
      WriteRule(*rule);
    } else {
      out_ << Styled(screen_, Style::kBold, id.ToString()) << "  clause of the specification\n";
      WriteClause(id, /*named=*/false);
      WriteRulesOf(id);
    }
    return true;
  }

 private:
  void WriteRule(const Rule& rule) {
    const std::string id = rule.id.ToString();
    out_ << Styled(screen_, Style::kBold, id) << "  "
         << Styled(screen_, Style::kBold, Wrap(rule.title, screen_.width, id.size() + 2)) << '\n';
    std::string severity = ToText(rule.severity);
    if (rule.also) {
      severity += std::string("; ") + ToText(*rule.also) + " if " + std::string(rule.also_when);
    }
    if (rule.live != rule.severity) {
      severity += std::string("; in profile live ") + (rule.live ? ToText(*rule.live) : "off");
      if (!rule.live_when.empty()) severity += " (" + std::string(rule.live_when) + ")";
    }
    if (rule.ingest != rule.severity) {
      severity += std::string("; in profile ingest ") + ToText(rule.ingest);
    }
    if (rule.live == rule.severity && rule.ingest == rule.severity) {
      severity += "; the same in all profiles";
    }
    WriteField("severity", severity);
    WriteField("about", ToText(rule.part));
    WriteText("What is reported", rule.what);
    WriteText("Why it matters", rule.why);
    WriteText("What to do", rule.remedy);
    WriteRelated("Reported together with", rule.together);
    WriteRelated("Reported by these rules in its place", rule.covered_by);
    WriteHeading("The clauses it stands on");
    WriteClause(rule.id, /*named=*/true);
    WriteClauseHint();
    for (const Clause clause : rule.clauses) {
      if (clause != rule.id) WriteClause(clause, /*named=*/true);
    }
  }

  void WriteCheck(const CheckEntry& check) {
    const std::string id = check.id.ToString();
    out_ << Styled(screen_, Style::kBold, id) << "  "
         << Styled(screen_, Style::kBold, Wrap(check.title, screen_.width, id.size() + 2)) << '\n';
    WriteField("severity", ToText(check.severity));
    const char* const about = check.subject == CheckEntry::Subject::kCollector ? "collector, "
                              : check.subject == CheckEntry::Subject::kFiles ? "files of an agent, "
                                                                             : "agent, ";
    WriteField("about", about + std::string(check.heading));
    WriteText("What is checked", check.what);
    WriteText("Why it matters", check.why);
    WriteText("What to do", check.remedy);
    WriteHeading("The clauses it stands on");
    WriteClause(check.id, /*named=*/true);
    for (const Clause clause : check.clauses) WriteClause(clause, /*named=*/true);
  }

  void WriteField(const std::string& name, const std::string& value) {
    constexpr std::size_t kColumn = 11;
    out_ << "  " << Styled(screen_, Style::kDim, name)
         << std::string(kColumn - 2 - name.size(), ' ') << Wrap(value, screen_.width, kColumn)
         << '\n';
  }

  void WriteHeading(const std::string& heading) {
    out_ << '\n' << Styled(screen_, Style::kBold, heading) << '\n';
  }

  void WriteText(const std::string& heading, std::string_view text) {
    WriteHeading(heading);
    out_ << "  " << Wrap(text, screen_.width, 2) << '\n';
  }

  void WriteRelated(const std::string& heading, std::span<const Clause> rules) {
    if (rules.empty()) return;
    WriteHeading(heading);
    for (const Clause id : rules) {
      const std::string name = id.ToString() + "  ";
      out_ << "  " << name << Wrap(TitleOf(id), screen_.width, 2 + name.size()) << '\n';
    }
  }

  void WriteClause(Clause id, bool named) {
    for (const SpecText::Excerpt& excerpt : spec_.Find(id)) {
      out_ << "  " << (named ? id.ToString() + ", " : "")
           << Styled(screen_, Style::kDim, excerpt.file + ", " + excerpt.heading) << '\n'
           << ForReading(excerpt, screen_.width, 4);
    }
  }

  // Rows of the table of rules say by letters what PCP's own checker answers.
  void WriteClauseHint() {
    out_ << "    "
         << Styled(screen_, Style::kDim,
                   "(letters and columns: archive.md, 14.0 Conventions and base archive)")
         << '\n';
  }

  void WriteRulesOf(Clause id) {
    std::vector<Clause> rules;
    for (const Rule& rule : catalogue_.entries()) {
      for (const Clause clause : rule.clauses) {
        if (clause == id) rules.push_back(rule.id);
      }
    }
    WriteRelated("Rules that stand on it", rules);
    std::vector<Clause> checks;
    for (const CheckEntry& check : checks_.entries()) {
      if (std::find(check.clauses.begin(), check.clauses.end(), id) != check.clauses.end()) {
        checks.push_back(check.id);
      }
    }
    WriteRelated("Checks that stand on it", checks);
  }

  std::string TitleOf(Clause id) const {
    if (const CheckEntry* const check = checks_.Find(id)) return std::string(check->title);
    const Rule* const rule = catalogue_.Find(id);
    return rule != nullptr ? std::string(rule->title) : "";
  }

  const Catalogue& catalogue_;
  const CheckCatalogue& checks_;
  const SpecText& spec_;
  const Screen& screen_;
  std::ostream& out_;
};

ExitStatus Explain(const std::vector<std::string>& identifiers, const Environment& environment) {
  const CheckCatalogue checks = CheckCatalogue::Shipped();
  const SpecText spec = SpecText::Shipped();
  Page page(environment, checks, spec);
  ExitStatus status = ExitStatus::kOk;
  bool first = true;
  for (const std::string& text : identifiers) {
    if (!first) environment.out << '\n';
    const std::optional<Clause> id = ParseIdentifier(text);
    if (id && page.Write(*id)) {
      first = false;
      continue;
    }
    std::vector<Clause> all;
    for (const auto& [clause, excerpts] : spec.clauses()) all.push_back(clause);
    const std::string nearest = NearestHint(text, all);
    environment.err << "pmproof: there is no rule or clause " << Displayable(text) << nearest
                    << '\n';
    status = ExitStatus::kUsage;
  }
  return status;
}

class ExplainCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operands("ID", "Such as ARC-1102, CKA-030, ARC-208 or MET-211", &identifiers_)
        .Required();
    options.Examples({"pmproof explain ARC-1102"})
        .ExitStatuses("0 done; 2 there is no such rule or clause");
  }

  ExitStatus Run(const CommonArguments&, const Environment& environment) override {
    return Explain(identifiers_, environment);
  }

 private:
  std::vector<std::string> identifiers_;
};

}  // namespace

std::unique_ptr<Command> MakeExplain() { return std::make_unique<ExplainCommand>(); }

}  // namespace pmproof::validator
