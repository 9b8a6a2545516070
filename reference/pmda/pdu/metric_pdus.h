// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_METRIC_PDUS_H_
#define PMPROOF_REFERENCE_PMDA_PDU_METRIC_PDUS_H_

#include <cstdint>
#include <string_view>

#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/pmda/pdu/list.h"

// PDUs that ask for metrics and describe them. Results are in result_pdus.h.

namespace pmproof::pdu {

// 4.4. A PMID may occur more than once (PDU-058); there is no empty fetch (PDU-056).
struct Fetch {
  std::int32_t context = 0;  // the client's number; any value (PMD-023, PMD-080)
  List<Pmid> pmids{};

  friend bool operator==(const Fetch&, const Fetch&) = default;
};

// From a client only (PDU-021).
struct HighresFetch {
  std::int32_t context = 0;
  List<Pmid> pmids{};

  friend bool operator==(const HighresFetch&, const HighresFetch&) = default;
};

// 4.6
struct DescReq {
  Pmid pmid{};

  friend bool operator==(const DescReq&, const DescReq&) = default;
};

struct Desc {
  Descriptor descriptor{};

  friend bool operator==(const Desc&, const Desc&) = default;
};

struct DescIds {
  List<Pmid> pmids{};  // at least one

  friend bool operator==(const DescIds&, const DescIds&) = default;
};

// A metric without a descriptor has PM_ID_NULL in its place (PDU-059).
struct Descs {
  List<Descriptor> descriptors{};  // at least one

  friend bool operator==(const Descs&, const Descs&) = default;
};

// 4.7. All instances: neither; by number: instance >= 0; by name: a name (PDU-061).
struct InstanceReq {
  Indom indom{};
  std::int32_t instance = kInstanceNull;
  std::string_view name{};

  friend bool operator==(const InstanceReq&, const InstanceReq&) = default;
};

struct InstanceEntry {
  std::int32_t instance = kInstanceNull;  // -1 in the reply to "by number" (PDU-062)
  std::string_view name{};                // empty in the reply to "by name"

  friend bool operator==(const InstanceEntry&, const InstanceEntry&) = default;
};

struct Instance {
  Indom indom{};
  List<InstanceEntry> instances{};

  friend bool operator==(const Instance&, const Instance&) = default;
};

// Bits of the type of a help text (PDU-065): 5, 6, 9 and 10 are valid.
inline constexpr std::uint32_t kTextOneLine = 1;
inline constexpr std::uint32_t kTextHelp = 2;
inline constexpr std::uint32_t kTextPmid = 4;
inline constexpr std::uint32_t kTextIndom = 8;

// 4.8
struct TextReq {
  std::uint32_t identifier = 0;  // a PMID or an instance domain, as the type says
  std::uint32_t type = 0;

  friend bool operator==(const TextReq&, const TextReq&) = default;
};

struct Text {
  std::uint32_t identifier = 0;  // not reliable: echo it, never check it (PDU-066)
  std::string_view text{};

  friend bool operator==(const Text&, const Text&) = default;
};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_METRIC_PDUS_H_
