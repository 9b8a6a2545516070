// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <variant>

#include "reference/pmda/pdu/metric_pdus.h"
#include "validator/agent_files/check.h"

// 16.7, the files beside the agent that runs.

namespace pmproof::validator::agent_files {
namespace {

using agent::Answer;
using agent::KnownMetric;
using agent::Session;

VerdictOr<const agent::Knowledge*> Known(const Desk& desk) {
  if (desk.running == nullptr) return Unchecked("neither COMMAND nor --dso is given");
  if (!desk.running->knowledge) return Unchecked("the agent cannot be asked (CKA-220)");
  return &*desk.running->knowledge;
}

// CKA-220
Verdict TheAgentStartsAsItsLineSays(Desk& desk) {
  if (desk.running == nullptr) return Verdict::NotChecked("neither COMMAND nor --dso is given");
  if (!desk.running->knowledge) return Verdict::Fail(desk.running->knowledge.error().because);
  const agent::Knowledge& known = *desk.running->knowledge;
  Offences offences;
  if (desk.material.domain && known.domain_known && known.domain != *desk.material.domain) {
    offences.Add("the agent has domain " + std::to_string(known.domain) + ", its files " +
                 std::to_string(*desk.material.domain));
  }
  const auto& conf = desk.material.conf;
  if (!conf.read || !desk.material.domain) return offences.Or(Verdict::Pass());
  for (const pmda::ConfAgent& line : conf.read->agents) {
    if (line.domain != *desk.material.domain) continue;
    const bool socket = std::holds_alternative<pmda::SocketAgent>(line.kind);
    if (socket == desk.running->subject.pipe()) {
      offences.Add(std::string("its line in pmcd.conf says ") +
                   (socket ? "socket" : "pipe or dso") + ", and it was started otherwise");
    }
    const auto* const pipe = std::get_if<pmda::PipeAgent>(&line.kind);
    const bool says_ready = pipe != nullptr && pipe->not_ready;
    if (says_ready != desk.running->subject.says_ready) {
      offences.Add(says_ready ? "its line in pmcd.conf has notready: start it with --notready"
                              : "it was started with --notready, which its line in "
                                "pmcd.conf does not have");
    }
  }
  return offences.Or(Verdict::Pass());
}

// CKA-221
Verdict EachNameIsAMetricOfTheAgent(Desk& desk) {
  const auto known = Known(desk);
  if (!known) return known.error();
  const auto& names = desk.material.names();
  if (!names.read) return Verdict::NotChecked("the names are not known (CKA-202)");
  Offences offences;
  for (const std::string& name : (*known)->unknown) {
    offences.Add("the agent has no descriptor for " + name + " of " + names.path);
  }
  if (offences.any()) return offences.Or(Verdict::Pass());
  if (!(*known)->misdescribed.empty()) {
    return Verdict::NotChecked("the agent gives neither a descriptor nor an error for " +
                               (*known)->misdescribed.front().ToText() + " (CKA-030)");
  }
  for (const KnownMetric& metric : (*known)->metrics) {
    if (!metric.dynamic) return Verdict::Pass();
  }
  return Verdict::NotChecked("all names are dynamic");
}

// CKA-222
Verdict TheAgentsOwnNamesAreBelowDynamicRoots(Desk& desk) {
  const auto known = Known(desk);
  if (!known) return known.error();
  const auto& names = desk.material.names();
  if (!names.read) return Verdict::NotChecked("the names are not known (CKA-202)");
  auto session = desk.bench->Open();
  if (!session) return session.error();
  std::set<std::string> tops;
  const auto leaves = *names.read->names.Traverse("");
  for (const auto& leaf : leaves) {
    tops.insert(pmda::IsDynamicRoot(leaf.pmid) ? leaf.name
                                               : leaf.name.substr(0, leaf.name.find('.')));
  }
  bool any = false;
  Offences offences;
  constexpr std::size_t kMostAsked = 64;
  std::size_t asked = 0;
  for (const std::string& top : tops) {
    if (++asked > kMostAsked) break;
    const Answer answer = session->Ask(pdu::PmnsTraverse{.name = top});
    const auto* const own = answer.As<pdu::PmnsNames>();
    if (own == nullptr) continue;
    for (const pdu::PmnsName& name : own->names) {
      any = true;
      const std::string text(name.name);
      if (!names.read->names.DynamicRootAbove(text).IsNull()) continue;
      if (!names.read->names.Find(text)) {
        offences.Add("the agent has a name " + text + ", which is neither in " + names.path +
                     " nor below a dynamic root of it");
      }
    }
  }
  if (!any) return Verdict::NotChecked("the agent has no names of its own");
  if (tops.size() <= kMostAsked) return offences.Or(Verdict::Pass());
  return offences.Or(Verdict::Pass("only " + std::to_string(kMostAsked) + " of the " +
                                   std::to_string(tops.size()) +
                                   " names at the top were asked for"));
}

struct Asked {
  std::string what{};
  pmda::HelpId id{};
  std::uint32_t identifier = 0;
  std::uint32_t kind = 0;  // pdu::kTextPmid or 0
};

std::vector<Asked> TextsOf(const agent::Knowledge& known) {
  std::vector<Asked> all;
  for (const KnownMetric& metric : known.metrics) {
    if (metric.dynamic) continue;
    all.push_back({metric.ToText(), metric.pmid, metric.pmid.value,
                   static_cast<std::uint32_t>(TextType::kMetricOneLine) & ~pdu::kTextOneLine});
  }
  for (const auto& [indom, instances] : known.instances) {
    all.push_back({"instance domain " + ToText(indom), indom, indom.value,
                   static_cast<std::uint32_t>(TextType::kIndomOneLine) & ~pdu::kTextOneLine});
  }
  return all;
}

// CKA-223
Verdict TheAgentsTextsAreThoseOfHelp(Desk& desk) {
  const auto known = Known(desk);
  if (!known) return known.error();
  if (!desk.material.help.read) {
    return Verdict::NotChecked(desk.material.help.there ? "help cannot be read (CKA-206)"
                                                        : "there is no file help");
  }
  const pmda::HelpTable texts(desk.material.help.read->entries);
  auto session = desk.bench->Open();
  if (!session) return session.error();
  bool any = false;
  bool any_text = false;
  Offences others;
  Offences missing;  // nothing is wrong where the agent has no text at all, and help is no use
  std::string own;
  for (const Asked& asked : TextsOf(**known)) {
    for (const std::uint32_t level : {pdu::kTextOneLine, pdu::kTextHelp}) {
      const pdu::TextReq request{asked.identifier, asked.kind | level};
      const Answer answer = session->Ask(request);
      const auto* const text = answer.As<pdu::Text>();
      const bool none = text == nullptr && answer.As<pdu::Error>() != nullptr;
      if (text == nullptr && !none) {
        return others.Or(Verdict::NotChecked(
            Session::Unexpected(request, answer, pdu::PduType::kText) + " (CKA-087)"));
      }
      any_text |= text != nullptr;
      const auto of_file = texts.Find(asked.id, level);
      if (!of_file && none) continue;
      any = true;
      const std::string what =
          level == pdu::kTextOneLine ? "the one-line text of " : "the text of ";
      if (!of_file) {  // it may make texts itself, as xfs does for metrics of each device
        if (own.empty()) own = "the agent has " + what + asked.what + ", help has none";
        continue;
      }
      if (none) {
        if (of_file->empty()) continue;
        missing.Add("help has " + what + asked.what + ", and the agent answers " + answer.ToText());
        continue;
      }
      if (text->text != *of_file) {
        others.Add(what + asked.what + " is another from the agent than in help");
      }
    }
  }
  if (missing.any() && !any_text && !desk.material.compiled.there) {
    return Verdict::NotChecked("help is not compiled here, and the agent has no texts");
  }
  if (missing.any()) others.Add(missing.Or(Verdict::Pass()));
  return others.Or(any ? Verdict::Pass(own)
                       : Verdict::NotChecked("neither the agent nor help has a text"));
}

// CKA-224
Verdict InstanceDomainsHaveHelp(Desk& desk) {
  const auto known = Known(desk);
  if (!known) return known.error();
  if (!desk.material.help.read) {
    return Verdict::NotChecked(desk.material.help.there ? "help cannot be read (CKA-206)"
                                                        : "there is no file help");
  }
  std::set<std::uint32_t> of_metrics;
  for (const KnownMetric& metric : (*known)->metrics) {
    if (!metric.descriptor.indom.IsNull()) of_metrics.insert(metric.descriptor.indom.value);
  }
  std::set<std::uint32_t> of_help;
  for (const pmda::HelpEntry& entry : desk.material.help.read->entries) {
    if (const auto* indom = std::get_if<Indom>(&entry.id)) of_help.insert(indom->value);
  }
  if (of_metrics.empty() && of_help.empty()) return Verdict::NotChecked("there are no instances");
  Offences offences;
  for (const std::uint32_t indom : of_metrics) {
    if (!of_help.contains(indom)) {
      offences.Add("instance domain " + ToText(Indom{indom}) + " has no entry in help");
    }
  }
  for (const std::uint32_t indom : of_help) {
    if (!of_metrics.contains(indom)) {
      offences.Add("help has an entry of instance domain " + ToText(Indom{indom}) +
                   ", which no metric has");
    }
  }
  return offences.Or(Verdict::Pass());
}

constexpr Check kChecks[] = {
    {"CKA-220"_clause, TheAgentStartsAsItsLineSays},
    {"CKA-221"_clause, EachNameIsAMetricOfTheAgent},
    {"CKA-222"_clause, TheAgentsOwnNamesAreBelowDynamicRoots},
    {"CKA-223"_clause, TheAgentsTextsAreThoseOfHelp},
    {"CKA-224"_clause, InstanceDomainsHaveHelp},
};

}  // namespace

std::span<const Check> RunningChecks() { return kChecks; }

}  // namespace pmproof::validator::agent_files
