// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "validator/agent_files/check.h"

// 16.7, the domain and the name space.

namespace pmproof::validator::agent_files {
namespace {

using Leaf = pmda::NameTree::Leaf;

std::vector<Leaf> LeavesOf(const pmda::AgentPmns& names) { return *names.names.Traverse(""); }

// The domain of a leaf, of a dynamic root that of the agent it stands for (PMD-303).
std::uint32_t DomainOf(Pmid pmid) {
  return pmda::IsDynamicRoot(pmid) ? pmid.cluster() : pmid.domain();
}

std::string Named(const Leaf& leaf) { return leaf.name + " (" + ToText(leaf.pmid) + ")"; }

std::string TopOf(const std::string& name) { return name.substr(0, name.find('.')); }

VerdictOr<const pmda::AgentPmns*> Names(const Desk& desk) {
  const auto& names = desk.material.names();
  if (names.read) return &*names.read;
  if (!names.there) return Unchecked("there is neither a file pmns nor root");
  return Unchecked("the name space cannot be read (CKA-202)");
}

// CKA-200
Verdict TheDomainIsKnown(Desk& desk) {
  const Material& material = desk.material;
  if (material.header.there) {
    if (!material.header.read) return Verdict::Fail(material.header.wrong);
    const std::uint32_t number = material.header.read->domain;
    if (material.domain == number) return Verdict::Pass();
    return Verdict::Pass("domain.h says " + std::to_string(number) + ", --domain " +
                         std::to_string(*material.domain));
  }
  if (material.domain) {
    return Verdict::Pass("there is no domain.h: the domain is " + std::to_string(*material.domain) +
                         ", by " + material.domain_from);
  }
  if (!material.names().there) {
    return Verdict::NotChecked("there is neither domain.h nor a name space: give --domain");
  }
  if (material.symbol.empty()) {
    return Verdict::NotChecked("there is no domain.h, and no word stands for the domain");
  }
  return Verdict::Fail("there is no domain.h, and nothing says which domain " + material.symbol +
                       " stands for");
}

// CKA-201
Verdict TheDomainIsTheRegistersOne(Desk& desk) {
  const Material& material = desk.material;
  if (!material.domains.there) return Verdict::NotChecked("no register is given by --stdpmid");
  if (!material.domains.wrong.empty()) return Verdict::NotChecked(material.domains.wrong);
  if (!material.domain) return Verdict::NotChecked("the domain is not known (CKA-200)");
  const pmda::DomainRegister& domains = *material.domains.read;
  const std::string number = std::to_string(*material.domain);
  if (pmda::RangeOf(*material.domain) == pmda::DomainRange::kReserved) {
    return Verdict::Fail("domain " + number + " is reserved");
  }
  const auto name = domains.Find(*material.domain);
  if (name && !material.symbol.empty() && *name != material.symbol) {
    return Verdict::Fail("domain " + number + " of " + material.symbol + " is that of " +
                         std::string(*name) + " in the register");
  }
  const auto registered = material.symbol.empty() ? std::nullopt : domains.Find(material.symbol);
  if (registered && *registered != *material.domain) {
    return Verdict::Fail(material.symbol + " is " + number + " here, and " +
                         std::to_string(*registered) + " in the register");
  }
  if (!name && pmda::RangeOf(*material.domain) == pmda::DomainRange::kPackaged) {
    return Verdict::Fail(
        "domain " + number +
        " is one that PCP gives out (1 to 384), and the register does not have it");
  }
  return Verdict::Pass();
}

// CKA-202
Verdict TheNameSpaceParses(Desk& desk) {
  const auto& names = desk.material.names();
  if (!names.there) {
    return Verdict::NotChecked(
        "there is neither a file pmns nor root: the agent's program has its "
        "names, if it is one in Perl or Python");
  }
  if (!names.read) return Verdict::Fail(names.wrong);
  if (names.read->names.size() == 0) return Verdict::Fail(names.path + " has no names");
  return Verdict::Pass();
}

// CKA-203
Verdict RootHasTheNamesOfPmns(Desk& desk) {
  const Material& material = desk.material;
  if (!material.root.there || !material.pmns.there) {
    return Verdict::NotChecked("there are not both a file pmns and a file root");
  }
  if (!material.root.read) return Verdict::Fail(material.root.wrong);
  if (!material.pmns.read) return Verdict::NotChecked(material.pmns.wrong + " (CKA-202)");
  if (material.root.read->names == material.pmns.read->names) return Verdict::Pass();
  Offences offences;
  std::map<std::string, Pmid> of_root;
  for (const Leaf& leaf : LeavesOf(*material.root.read)) of_root.emplace(leaf.name, leaf.pmid);
  for (const Leaf& leaf : LeavesOf(*material.pmns.read)) {
    const auto found = of_root.find(leaf.name);
    if (found == of_root.end()) {
      offences.Add(Named(leaf) + " of pmns is not in root");
      continue;
    }
    if (found->second != leaf.pmid) {
      offences.Add(Named(leaf) + " of pmns has PMID " + ToText(found->second) + " in root");
    }
    of_root.erase(found);
  }
  if (of_root.empty()) {
    return offences.Or(Verdict::Pass("root has the names of pmns in another order"));
  }
  // A root may serve other agents, too, as that of sample does.
  std::set<std::string> tops;
  for (const Leaf& leaf : LeavesOf(*material.pmns.read)) tops.insert(TopOf(leaf.name));
  for (const auto& [name, pmid] : of_root) {
    if (tops.contains(TopOf(name))) offences.Add(name + " of root is not in pmns");
  }
  return offences.Or(Verdict::Pass("root has other names, too: " + of_root.begin()->first));
}

// CKA-204
Verdict NamesAreOfTheDomain(Desk& desk) {
  const auto names = Names(desk);
  if (!names) return names.error();
  if (!desk.material.domain) return Verdict::NotChecked("the domain is not known (CKA-200)");
  Offences offences;
  for (const Leaf& leaf : LeavesOf(**names)) {
    if (DomainOf(leaf.pmid) == *desk.material.domain) continue;
    offences.Add(Named(leaf) + " is of domain " + std::to_string(DomainOf(leaf.pmid)) +
                 ", the agent of domain " + std::to_string(*desk.material.domain));
  }
  return offences.Or(Verdict::Pass());
}

// CKA-205
Verdict EachPmidHasOneName(Desk& desk) {
  const auto names = Names(desk);
  if (!names) return names.error();
  Offences offences;
  std::map<std::uint32_t, std::string> seen;
  for (const Leaf& leaf : LeavesOf(**names)) {
    if (pmda::IsDynamicRoot(leaf.pmid)) continue;
    const auto [first, added] = seen.emplace(leaf.pmid.value, leaf.name);
    if (!added) offences.Add(Named(leaf) + " is the metric " + first->second + ", too");
  }
  return offences.Or(seen.empty() ? Verdict::NotChecked("all names are dynamic") : Verdict::Pass());
}

constexpr Check kChecks[] = {
    {"CKA-200"_clause, TheDomainIsKnown},    {"CKA-201"_clause, TheDomainIsTheRegistersOne},
    {"CKA-202"_clause, TheNameSpaceParses},  {"CKA-203"_clause, RootHasTheNamesOfPmns},
    {"CKA-204"_clause, NamesAreOfTheDomain}, {"CKA-205"_clause, EachPmidHasOneName},
};

}  // namespace

std::span<const Check> NameChecks() { return kChecks; }

}  // namespace pmproof::validator::agent_files
