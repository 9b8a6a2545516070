// SPDX-License-Identifier: Apache-2.0
#include "validator/collector/requests.h"

#include <array>

#include "reference/core/value.h"
#include "reference/pmda/pdu/result_builder.h"

namespace pmproof::validator::collector {
namespace {

Octets Finish(pdu::ResultBuilder& builder, std::int32_t seconds) {
  Octets bytes;
  (void)builder.Finish(pdu::ResultBuilder::Envelope{.seconds = seconds}, &bytes);
  return bytes;
}

}  // namespace

Octets Words(std::initializer_list<std::uint32_t> words) {
  Octets bytes(words.size() * 4);
  std::uint8_t* at = bytes.data();
  for (const std::uint32_t word : words) {
    StoreU32(at, word);
    at += 4;
  }
  return bytes;
}

Octets Encoded(const pdu::Body& body, std::int32_t from) {
  Octets bytes;
  (void)pdu::Encode({.from = from, .body = body}, &bytes);
  return bytes;
}

Octets CredsOf(std::uint8_t version, std::uint16_t flags) {
  const std::array credentials = {pdu::Credential::Version(version, flags)};
  return Encoded(pdu::Creds{.credentials = {credentials}});
}

Octets ProfileOfAll(std::int32_t context) { return Encoded(pdu::Profile{.context = context}); }

Octets ProfileOf(std::int32_t context, Indom indom, std::vector<std::int32_t> instances) {
  const std::array entries = {
      pdu::ProfileEntry{.indom = indom, .state = pdu::kExclude, .instances = {instances}}};
  return Encoded(pdu::Profile{.context = context, .entries = {entries}});
}

Octets FetchOf(std::int32_t context, const std::vector<Pmid>& pmids) {
  return Encoded(pdu::Fetch{.context = context, .pmids = {pmids}});
}

Octets HighresFetchOf(std::int32_t context, const std::vector<Pmid>& pmids) {
  return Encoded(pdu::HighresFetch{.context = context, .pmids = {pmids}});
}

Octets DescReqOf(Pmid pmid) { return Encoded(pdu::DescReq{.pmid = pmid}); }

Octets DescIdsOf(const std::vector<Pmid>& pmids) { return Encoded(pdu::DescIds{.pmids = {pmids}}); }

Octets InstanceReqOf(Indom indom, std::int32_t instance, std::string_view name) {
  return Encoded(pdu::InstanceReq{.indom = indom, .instance = instance, .name = name});
}

Octets TextReqOf(std::uint32_t identifier, std::uint32_t type) {
  return Encoded(pdu::TextReq{.identifier = identifier, .type = type});
}

Octets LabelReqOf(std::uint32_t identifier, std::uint32_t type) {
  return Encoded(pdu::LabelReq{.identifier = identifier, .type = type});
}

Octets NamesOf(const std::vector<std::string_view>& names) {
  std::vector<pdu::PmnsName> list;
  for (const std::string_view name : names) list.push_back({.name = name});
  return Encoded(pdu::PmnsNames{.names = {list}});
}

Octets IdsOf(const std::vector<Pmid>& pmids) { return Encoded(pdu::PmnsIds{.pmids = {pmids}}); }

Octets ChildrenOf(std::string_view name, std::int32_t subtype) {
  return Encoded(pdu::PmnsChild{.subtype = subtype, .name = name});
}

Octets LeavesOf(std::string_view name) { return Encoded(pdu::PmnsTraverse{.name = name}); }

Octets ErrorOf(ErrorCode code) { return Encoded(pdu::Error{.code = code}); }

Octets ResultOf(const std::vector<Singular>& values, std::int32_t seconds) {
  pdu::ResultBuilder builder;
  builder.Begin();
  for (const Singular& value : values) {
    builder.AddSet(value.pmid);
    builder.Add(kInstanceNull, Value::Of(value.value));
  }
  return Finish(builder, seconds);
}

Octets ResultOf(Pmid pmid, const std::vector<std::pair<std::int32_t, std::int32_t>>& values) {
  pdu::ResultBuilder builder;
  builder.Begin();
  builder.AddSet(pmid);
  for (const auto& [instance, value] : values) builder.Add(instance, Value::Of(value));
  return Finish(builder, 0);
}

}  // namespace pmproof::validator::collector
