// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "reference/core/help_text.h"
#include "validator/agent_files/check.h"

// 16.7, help texts: the source and its compiled form.

namespace pmproof::validator::agent_files {
namespace {

VerdictOr<const pmda::HelpSource*> Help(const Desk& desk) {
  const auto& help = desk.material.help;
  if (help.read) return &*help.read;
  return Unchecked(help.there ? help.wrong + " (CKA-206)" : "there is no file help");
}

constexpr char kNoNames[] = "the names are not known: there is neither pmns nor root";

std::string IdText(const pmda::HelpEntry& entry) {
  if (const auto* indom = std::get_if<Indom>(&entry.id)) {
    return "instance domain " + ToText(*indom);
  }
  const std::string pmid = ToText(std::get<Pmid>(entry.id));
  return entry.identifier == pmid ? pmid : entry.identifier + " (" + pmid + ")";
}

// Of the problems the errors; all where there is none.
std::vector<std::string> ProblemTexts(const pmda::HelpSource& source) {
  const auto is_error = [](const pmda::Diagnosis& problem) {
    return problem.severity == pmda::Diagnosis::Severity::kError;
  };
  const bool errors = std::ranges::any_of(source.problems, is_error);
  std::vector<std::string> texts;
  for (const pmda::Diagnosis& problem : source.problems) {
    if (!errors || is_error(problem)) texts.push_back(problem.ToText());
  }
  return texts;
}

// CKA-206
Verdict HelpCompilesWithoutAWord(Desk& desk) {
  const Material& material = desk.material;
  if (!material.help.there) return Verdict::NotChecked("there is no file help");
  if (!material.help.read) return Verdict::Fail(material.help.wrong);
  if (material.names().there && !material.names().read) {
    return Verdict::NotChecked("the name space cannot be read (CKA-202)");
  }
  if (material.help.read->status != 0) {
    // Without names no name in help is one.
    const bool of_names = std::ranges::all_of(
        material.help.read->problems,
        [](const pmda::Diagnosis& problem) { return problem.clause == "PMD-310"_clause; });
    if (!material.names().there && of_names) return Verdict::NotChecked(kNoNames);
    Offences offences;
    for (std::string& text : ProblemTexts(*material.help.read)) offences.Add(std::move(text));
    return offences.Or(Verdict::Fail("newhelp does not take " + material.help.path));
  }
  if (material.help.read->entries.empty()) {
    return Verdict::NotChecked(material.help.path + " has no entry (CKA-207)");
  }
  static const pmda::NameTree kEmpty;
  const auto& names = material.names();
  const pmda::HelpSource before =
      pmda::ReadHelpSource(material.help_text, material.help.path,
                           names.read ? names.read->names : kEmpty, pmda::HelpLimits::UpTo638());
  if (before.status == 0) return Verdict::Pass();
  const auto problems = ProblemTexts(before);
  return Verdict::Pass("newhelp of PCP up to 6.3.8 does not take all of it: " +
                       (problems.empty() ? "" : problems.front()));
}

// CKA-207
Verdict EachMetricHasHelp(Desk& desk) {
  const auto help = Help(desk);
  if (!help) return help.error();
  const auto& names = desk.material.names();
  if (!names.read) return Verdict::NotChecked("the names are not known (CKA-202)");
  std::map<std::uint32_t, const pmda::HelpEntry*> texts;
  for (const pmda::HelpEntry& entry : (*help)->entries) {
    if (const auto* pmid = std::get_if<Pmid>(&entry.id)) texts.emplace(pmid->value, &entry);
  }
  bool any = false;
  std::string bare;
  Offences offences;
  const auto leaves = *names.read->names.Traverse("");
  for (const auto& leaf : leaves) {
    if (pmda::IsDynamicRoot(leaf.pmid)) continue;
    any = true;
    const std::string named = leaf.name + " (" + ToText(leaf.pmid) + ")";
    const auto found = texts.find(leaf.pmid.value);
    if (found == texts.end()) {
      offences.Add(named + " has no entry");
      continue;
    }
    if (found->second->one_line.empty()) offences.Add(named + " has no one-line text");
    if (found->second->full.empty() && bare.empty()) bare = named;
  }
  if (!any) return Verdict::NotChecked("all names are dynamic");
  return offences.Or(Verdict::Pass(bare.empty() ? "" : bare + " has a one-line text alone"));
}

// CKA-208
Verdict NoHelpIsOfWhatIsNotThere(Desk& desk) {
  const auto help = Help(desk);
  if (!help) return help.error();
  const Material& material = desk.material;
  if (!material.domain) return Verdict::NotChecked("the domain is not known (CKA-200)");
  const auto& names = material.names();
  // A dynamic subtree may have any PMID of the domain.
  bool any_pmid = !names.read;
  if (names.read) {
    const auto leaves = *names.read->names.Traverse("");
    for (const auto& leaf : leaves) any_pmid |= pmda::IsDynamicRoot(leaf.pmid);
  }
  Offences offences;
  std::set<pmda::HelpId> seen;
  for (const pmda::HelpEntry& entry : (*help)->entries) {
    const std::string id = IdText(entry);
    if (!seen.insert(entry.id).second) {
      offences.Add(id + " has two entries");
      continue;
    }
    const auto* const pmid = std::get_if<Pmid>(&entry.id);
    const std::uint32_t domain =
        pmid != nullptr ? pmid->domain() : std::get<Indom>(entry.id).domain();
    const bool dynamic = pmid != nullptr && pmda::IsDynamicRoot(*pmid);
    if (!dynamic && domain != *material.domain) {
      offences.Add(id + " is of domain " + std::to_string(domain) + ", the agent of domain " +
                   std::to_string(*material.domain));
      continue;
    }
    if (pmid == nullptr || dynamic || any_pmid) continue;
    if (names.read->names.NamesOf(*pmid).empty()) {
      offences.Add(id + " is no metric of the name space");
    }
  }
  return offences.Or(seen.empty() ? Verdict::NotChecked("help has no entry (CKA-206)")
                                  : Verdict::Pass());
}

// CKA-209
Verdict CompiledHelpIsThatOfTheSource(Desk& desk) {
  const auto& compiled = desk.material.compiled;
  if (!compiled.there) return Verdict::NotChecked("there are no files help.dir and help.pag");
  if (!compiled.read) return Verdict::Fail(compiled.wrong);
  const auto help = Help(desk);
  if (!help) return help.error();
  if (!desk.material.names().there && (*help)->status != 0) return Verdict::NotChecked(kNoNames);
  const pmda::HelpTable source((*help)->entries);
  Offences offences;
  if (source.size() != compiled.read->size()) {
    offences.Add("help.dir has " + std::to_string(compiled.read->size()) + " entries, help " +
                 std::to_string(source.size()));
  }
  for (const pmda::HelpEntry& entry : (*help)->entries) {
    for (const auto& [request, what] :
         {std::pair(kTextOneLine, "one-line text"), std::pair(kTextHelp, "text")}) {
      const auto here = source.Find(entry.id, request);
      const auto there = compiled.read->Find(entry.id, request);
      if (!there) {
        offences.Add(IdText(entry) + " is not in help.dir");
      } else if (*here != *there) {
        offences.Add("the " + std::string(what) + " of " + IdText(entry) +
                     " is another in help.pag than in help");
      }
    }
  }
  return offences.Or(Verdict::Pass());
}

constexpr Check kChecks[] = {
    {"CKA-206"_clause, HelpCompilesWithoutAWord},
    {"CKA-207"_clause, EachMetricHasHelp},
    {"CKA-208"_clause, NoHelpIsOfWhatIsNotThere},
    {"CKA-209"_clause, CompiledHelpIsThatOfTheSource},
};

}  // namespace

std::span<const Check> HelpChecks() { return kChecks; }

}  // namespace pmproof::validator::agent_files
