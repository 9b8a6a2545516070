// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_REQUESTS_H_
#define PMPROOF_VALIDATOR_COLLECTOR_REQUESTS_H_

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/core/error_code.h"
#include "reference/core/identifiers.h"
#include "reference/pmda/pdu/encode.h"

// The PDUs that the checks send, as bytes.

namespace pmproof::validator::collector {

using Octets = pdu::Buffer;

// Bytes that need not be a PDU, as section 18 of the specification writes them: one 32 bit number
// after the other.
Octets Words(std::initializer_list<std::uint32_t> words);

// A well-formed PDU. It must be one that can be encoded.
Octets Encoded(const pdu::Body& body, std::int32_t from = 0);

Octets CredsOf(std::uint8_t version, std::uint16_t flags);
// All instances of all domains.
Octets ProfileOfAll(std::int32_t context);
// Only these instances of one domain, and all of others.
Octets ProfileOf(std::int32_t context, Indom indom, std::vector<std::int32_t> instances);
Octets FetchOf(std::int32_t context, const std::vector<Pmid>& pmids);
Octets HighresFetchOf(std::int32_t context, const std::vector<Pmid>& pmids);
Octets DescReqOf(Pmid pmid);
Octets DescIdsOf(const std::vector<Pmid>& pmids);
Octets InstanceReqOf(Indom indom, std::int32_t instance = kInstanceNull,
                     std::string_view name = {});
Octets TextReqOf(std::uint32_t identifier, std::uint32_t type);
Octets LabelReqOf(std::uint32_t identifier, std::uint32_t type);
Octets NamesOf(const std::vector<std::string_view>& names);
Octets IdsOf(const std::vector<Pmid>& pmids);
Octets ChildrenOf(std::string_view name, std::int32_t subtype);
Octets LeavesOf(std::string_view name);
Octets ErrorOf(ErrorCode code);

// A RESULT of singular values in situ: a store, or an agent's answer with state changes in
// `seconds` (PDU-110).
struct Singular {
  Pmid pmid{};
  std::int32_t value = 0;
};
Octets ResultOf(const std::vector<Singular>& values, std::int32_t seconds = 0);

// One set of values in situ with their instances.
Octets ResultOf(Pmid pmid, const std::vector<std::pair<std::int32_t, std::int32_t>>& values);

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_REQUESTS_H_
