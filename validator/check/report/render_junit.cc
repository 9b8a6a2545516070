#include <map>
#include <string>
#include <vector>

#include "validator/check/report/render.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

// "base.meta offset 132, record 3: message (numnames: 0, expected 1 or more)"
std::string Line(const Finding& finding) {
  std::string line = std::string(ToText(finding.severity)) + ": " + finding.file + " offset " +
                     std::to_string(finding.offset) + ", record " + std::to_string(finding.record) +
                     ": " + finding.message;
  if (!finding.field.empty()) line += "; field " + finding.field;
  if (!finding.actual.empty()) line += "; actual " + finding.actual;
  if (!finding.expected.empty()) line += "; expected " + finding.expected;
  if (finding.count > 1)
    line += "; and " + std::to_string(finding.count - 1) + " more from here on";
  return Markup(line) + "\n";
}

struct Case {
  std::string name;
  std::string part;
  std::string skipped = {};   // because
  std::string failures = {};  // lines of findings at or above the limit
  std::string others = {};
};

struct Suite {
  std::size_t failures = 0;
  std::size_t skipped = 0;
  std::string cases;
};

void Write(const Case& item, Suite& suite) {
  suite.cases +=
      "    <testcase classname=\"" + Markup(item.part) + "\" name=\"" + Markup(item.name) + "\"";
  if (item.skipped.empty() && item.failures.empty() && item.others.empty()) {
    suite.cases += "/>\n";
    return;
  }
  suite.cases += ">\n";
  if (!item.failures.empty()) {
    ++suite.failures;
    const std::string first = item.failures.substr(0, item.failures.find('\n'));
    suite.cases += "      <failure message=\"" + first + "\">" + item.failures + "</failure>\n";
  } else if (!item.skipped.empty() && item.others.empty()) {
    ++suite.skipped;
    suite.cases += "      <skipped message=\"" + Markup(item.skipped) + "\"/>\n";
  }
  if (!item.others.empty()) suite.cases += "      <system-out>" + item.others + "</system-out>\n";
  suite.cases += "    </testcase>\n";
}

std::string ErrorCase(const char* part, const char* name, const std::string& message) {
  return std::string("    <testcase classname=\"") + part + "\" name=\"" + name +
         "\">\n      <error message=\"" + Markup(message) + "\"/>\n    </testcase>\n";
}

// What stands in a rule's place where it has no case of its own to fail.
std::string SkippedBecause(const Rule& rule, Profile profile,
                           const std::map<std::string, std::string>& left_out) {
  if (const auto found = left_out.find(rule.id.ToString()); found != left_out.end()) {
    return found->second;
  }
  if (!rule.In(profile)) return std::string("off in profile ") + ToText(profile);
  if (rule.covered_by.empty()) return "";
  std::string because = "reported as";
  for (const Clause other : rule.covered_by) because += " " + other.ToString();
  return because;
}

void WriteArchive(const ArchiveReport& archive, Profile profile, const Catalogue& catalogue,
                  Severity fail_on, std::ostream& out) {
  std::map<Clause, std::vector<const Finding*>> by_rule;
  for (const Finding& finding : archive.findings) by_rule[finding.rule].push_back(&finding);
  std::map<std::string, std::string> left_out;
  for (const NotChecked& item : archive.not_checked) left_out.emplace(item.what, item.because);
  Suite suite;
  std::size_t tests = 0;
  const auto write = [&](Case item, Clause rule) {
    for (const Finding* finding : by_rule[rule]) {
      (finding->severity >= fail_on ? item.failures : item.others) += Line(*finding);
    }
    ++tests;
    Write(item, suite);
    by_rule.erase(rule);
  };
  for (const Rule& rule : catalogue.rules()) {
    // Without a verdict a rule that shows no violation has not passed.
    if (archive.failure && !by_rule.contains(rule.id)) continue;
    // The report of a set is about nothing but the rules on sets, that of an archive never about
    // them.
    const bool of_sets = rule.part == RulePart::kSet;
    if (!of_sets && !archive.members.empty()) continue;
    Case item;
    item.name = rule.id.ToString() + ": " + rule.title;
    item.part = ToText(rule.part);
    item.skipped = of_sets && archive.members.empty() ? "checked where archives are given as a set"
                                                      : SkippedBecause(rule, profile, left_out);
    write(std::move(item), rule.id);
  }
  for (const auto& [what, because] : left_out) {
    if (!Clause::Parse(what)) write({.name = what, .part = "not checked", .skipped = because}, {});
  }
  while (!by_rule.empty()) {
    const Clause rule = by_rule.begin()->first;
    write({.name = rule.ToString(), .part = "unknown"}, rule);
  }
  std::size_t errors = archive.internal_errors.size();
  for (const std::string& error : archive.internal_errors) {
    suite.cases += ErrorCase("pmproof", "internal error", error);
  }
  if (archive.failure) {
    ++errors;
    suite.cases += ErrorCase("files", "can be checked", archive.failure->ToText());
  }
  out << "  <testsuite name=\"" << Markup(archive.archive) << "\" tests=\"" << tests + errors
      << "\" failures=\"" << suite.failures << "\" errors=\"" << errors << "\" skipped=\""
      << suite.skipped << "\">\n"
      << "    <properties>\n      <property name=\"readable\" value=\""
      << (archive.readable ? "true" : "false")
      << "\"/>\n      <property name=\"conformant\" value=\""
      << (archive.conformant ? "true" : "false") << "\"/>\n    </properties>\n"
      << suite.cases;
  out << "  </testsuite>\n";
}

}  // namespace

void RenderJunit(const Report& report, const Catalogue& catalogue, Severity fail_on,
                 std::ostream& out) {
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pmproof check\">\n";
  for (const ArchiveReport& archive : report.archives) {
    WriteArchive(archive, report.profile, catalogue, fail_on, out);
  }
  for (const Status& error : report.errors) {
    out << "  <testsuite name=\"" << Markup(error.file.empty() ? "input" : error.file)
        << "\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n"
        << ErrorCase("files", "can be checked", error.ToText()) << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
}

}  // namespace pmproof::validator
