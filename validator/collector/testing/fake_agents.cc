// SPDX-License-Identifier: Apache-2.0
#include "validator/collector/testing/fake_agents.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "reference/pmda/pdu/error_codes.h"
#include "validator/collector/stub_roles.h"

namespace pmproof::validator::collector {
namespace {

constexpr Indom kColors = Indom::Of(kSimpleDomain, 0);
constexpr std::string_view kSecret = "sample.secret";

struct Name {
  std::string_view name;
  Pmid pmid;
};

// In the order of the name space; those of sample.secret are the agent's.
const std::vector<Name>& Names() {
  static const std::vector<Name>* const names = new std::vector<Name>{
      {"pmcd.version", Pmid::Of(2, 0, 7)},
      {"pmcd.openfds", Pmid::Of(2, 0, 17)},
      {"simple.numfetch", Pmid::Of(253, 0, 0)},
      {"simple.color", Pmid::Of(253, 0, 1)},
      {"simple.time.user", Pmid::Of(253, 1, 2)},
      {"simple.time.sys", Pmid::Of(253, 1, 3)},
      {"simple.now", Pmid::Of(253, 2, 4)},
      {"trivial.time", Pmid::Of(250, 0, 0)},
      {"sample.daemon_pid", Pmid::Of(29, 0, 1)},
      {"sample.dupnames.daemon_pid", Pmid::Of(29, 0, 1)},
      {"sample.dupnames.pid_daemon", Pmid::Of(29, 0, 1)},
      {"sample.long.ten", Pmid::Of(29, 0, 10)},
      {"sample.longlong.ten", Pmid::Of(29, 0, 21)},
      {"sample.secret.foo.bar.max.redirect", Pmid::Of(29, 0, 1006)},
      {"sample.secret.foo.bar.three", Pmid::Of(29, 0, 1003)},
      {"sample.secret.foo.bar.four", Pmid::Of(29, 0, 1004)},
      {"sample.secret.foo.bar.grunt.five", Pmid::Of(29, 0, 1005)},
      {"sample.secret.foo.bar.grunt.snort.six", Pmid::Of(29, 0, 1007)},
      {"sample.secret.foo.bar.grunt.snort.huff.puff.seven", Pmid::Of(29, 0, 1008)},
      {"sample.secret.bin", Pmid::Of(29, 0, 1001)},
      {"sample.secret.bar", Pmid::Of(29, 0, 1000)},
      {"sample.secret.family", Pmid::Of(29, 0, 1009)},
      {"sample.secret.en.one", Pmid::Of(29, 0, 1010)},
      {"sample.secret.fr.un", Pmid::Of(29, 0, 1011)},
      {"sample.secret.dk.en", Pmid::Of(29, 0, 1012)},
      {"sample.secret.es.uno", Pmid::Of(29, 0, 1013)},
  };
  return *names;
}

bool IsBelow(std::string_view name, std::string_view node) {
  return node.empty() ||
         (name.starts_with(node) && name.size() > node.size() && name[node.size()] == '.');
}

bool IsAgentsDomain(std::uint32_t domain) {
  return domain == kPmcdDomain || domain == kSimpleDomain || domain == kSampleDomain ||
         domain == kTrivialDomain;
}

Octets Descriptors(const pdu::DescIds& request) {
  std::vector<Descriptor> slots;
  for (const Pmid pmid : request.pmids) {
    Descriptor slot;
    slot.pmid = IsKnownMetric(pmid) ? pmid : Pmid::Null();
    slots.push_back(slot);
  }
  if (slots.size() == 1 && slots[0].pmid.IsNull()) return ErrorOf(ErrorCode::kPmid);
  return Encoded(pdu::Descs{.descriptors = {slots}});
}

Octets Instances(const pdu::InstanceReq& request) {
  static constexpr std::array<std::string_view, 3> kNames = {"red", "green", "blue"};
  if (request.indom != kColors) return ErrorOf(ErrorCode::kIndom);
  std::vector<pdu::InstanceEntry> entries;
  for (std::int32_t i = 0; i < 3; ++i) {
    const std::string_view name = kNames[static_cast<std::size_t>(i)];
    if (request.instance == i) {
      entries = {{kInstanceNull, name}};
    } else if (request.name == name) {
      entries = {{i, ""}};
    } else if (request.instance == kInstanceNull && request.name.empty()) {
      entries.push_back({i, name});
    }
  }
  if (entries.empty()) return ErrorOf(ErrorCode::kInstance);
  return Encoded(pdu::Instance{.indom = request.indom, .instances = {entries}});
}

Octets OneLabelSet(const pdu::LabelReq& request, std::string_view json,
                   const std::vector<pdu::LabelEntry>& labels) {
  const std::array sets = {pdu::LabelSet{.json = json, .labels = {labels}}};
  return Encoded(
      pdu::Label{.identifier = request.identifier, .type = request.type, .sets = {sets}});
}

Octets Labels(const pdu::LabelReq& request) {
  const Octets none = Encoded(pdu::Label{.identifier = request.identifier, .type = request.type});
  switch (static_cast<LabelClass>(request.type)) {
    case LabelClass::kContext:
      return OneLabelSet(request, R"({"domainname":"d","hostname":"h","machineid":"m"})",
                         {{2, 10, 1, 14, 3}, {19, 8, 1, 29, 3}, {34, 9, 1, 45, 3}});
    case LabelClass::kDomain:
      if (request.identifier != kSimpleDomain) return ErrorOf(pdu::kErrNoAgent);
      return OneLabelSet(request, R"({"role":"testing"})", {{2, 4, 2, 8, 9}});
    case LabelClass::kIndom:
    case LabelClass::kInstances:
      if (!IsAgentsDomain(Indom{request.identifier}.domain())) return ErrorOf(ErrorCode::kIndom);
      return none;
    case LabelClass::kCluster:
    case LabelClass::kItem:
      if (!IsAgentsDomain(Pmid{request.identifier}.domain())) return ErrorOf(ErrorCode::kPmid);
      return none;
  }
  return ErrorOf(ErrorCode::kType);
}

// PM_ID_NULL, and why.
std::pair<Pmid, ErrorCode> LookUp(std::string_view name, bool old) {
  for (const Name& one : Names()) {
    if (one.name == name) return {one.pmid, ErrorCode::kOk};
  }
  if (old && name == kSecret) return {Pmid::Null(), ErrorCode::kName};
  const bool inner =
      std::ranges::any_of(Names(), [&](const Name& one) { return IsBelow(one.name, name); });
  return {Pmid::Null(), inner ? ErrorCode::kNonLeaf : ErrorCode::kName};
}

Octets LookUpAll(const pdu::PmnsNames& request, bool old) {
  if (request.names.empty()) return ErrorOf(pdu::kErrTooSmall);
  std::vector<Pmid> pmids;
  std::int32_t resolved = 0;
  ErrorCode first = ErrorCode::kOk;
  for (const pdu::PmnsName& name : request.names) {
    const auto [pmid, error] = LookUp(name.name, old);
    pmids.push_back(pmid);
    if (error == ErrorCode::kOk) ++resolved;
    if (error != ErrorCode::kOk && first == ErrorCode::kOk) first = error;
  }
  if (resolved == 0) return ErrorOf(first);
  return Encoded(pdu::PmnsIds{.status = resolved, .pmids = {pmids}});
}

Octets NameList(const std::vector<pdu::PmnsName>& names, bool status) {
  return Encoded(pdu::PmnsNames{.has_status = status && !names.empty(), .names = {names}});
}

Octets NamesOfPmid(const pdu::PmnsIds& request) {
  if (request.pmids.size() != 1) return ErrorOf(pdu::kErrIpc);
  std::vector<pdu::PmnsName> names;
  for (const Name& one : Names()) {
    if (one.pmid == request.pmids[0]) names.push_back({.name = one.name});
  }
  if (names.empty()) {
    return ErrorOf(IsAgentsDomain(request.pmids[0].domain()) ? ErrorCode::kPmid : pdu::kErrNoAgent);
  }
  return NameList(names, false);
}

Octets Children(const pdu::PmnsChild& request) {
  std::vector<pdu::PmnsName> children;
  bool exists = false;
  for (const Name& one : Names()) {
    exists |= one.name == request.name;
    if (!IsBelow(one.name, request.name)) continue;
    exists = true;
    std::string_view rest = one.name.substr(request.name.empty() ? 0 : request.name.size() + 1);
    const std::size_t dot = rest.find('.');
    const std::string_view child = rest.substr(0, dot);
    if (std::ranges::count(children, child, &pdu::PmnsName::name) > 0) continue;
    children.push_back(
        {.name = child, .status = dot == std::string_view::npos ? pdu::kLeaf : pdu::kNonLeaf});
  }
  if (!exists) return ErrorOf(ErrorCode::kName);
  if (request.subtype == 0) {
    for (pdu::PmnsName& child : children) child.status = pdu::kLeaf;
  }
  return NameList(children, request.subtype == 1);
}

Octets Leaves(const pdu::PmnsTraverse& request) {
  std::vector<pdu::PmnsName> leaves;
  for (const Name& one : Names()) {
    if (one.name == request.name || IsBelow(one.name, request.name)) {
      leaves.push_back({.name = one.name});
    }
  }
  if (leaves.empty()) return ErrorOf(ErrorCode::kName);
  return NameList(leaves, false);
}

}  // namespace

bool IsKnownMetric(Pmid pmid) { return std::ranges::count(Names(), pmid, &Name::pmid) > 0; }

Octets AnswerMetadata(const pdu::Pdu& request, bool old) {
  if (const auto* const body = std::get_if<pdu::DescReq>(&request.body)) {
    if (!IsKnownMetric(body->pmid)) return ErrorOf(ErrorCode::kPmid);
    Descriptor descriptor;
    descriptor.pmid = body->pmid;
    return Encoded(pdu::Desc{.descriptor = descriptor});
  }
  if (const auto* const body = std::get_if<pdu::DescIds>(&request.body)) return Descriptors(*body);
  if (const auto* const body = std::get_if<pdu::InstanceReq>(&request.body)) {
    return Instances(*body);
  }
  if (const auto* const body = std::get_if<pdu::TextReq>(&request.body)) {
    if (Pmid{body->identifier}.domain() != kSimpleDomain) return ErrorOf(ErrorCode::kPmid);
    return Encoded(pdu::Text{.identifier = body->identifier, .text = "a text"});
  }
  if (const auto* const body = std::get_if<pdu::LabelReq>(&request.body)) return Labels(*body);
  if (const auto* const body = std::get_if<pdu::PmnsNames>(&request.body)) {
    return LookUpAll(*body, old);
  }
  if (const auto* const body = std::get_if<pdu::PmnsIds>(&request.body)) return NamesOfPmid(*body);
  if (const auto* const body = std::get_if<pdu::PmnsChild>(&request.body)) return Children(*body);
  if (const auto* const body = std::get_if<pdu::PmnsTraverse>(&request.body)) {
    return Leaves(*body);
  }
  return ErrorOf(pdu::kErrIpc);
}

}  // namespace pmproof::validator::collector
