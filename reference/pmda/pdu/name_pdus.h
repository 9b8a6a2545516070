// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_NAME_PDUS_H_
#define PMPROOF_REFERENCE_PMDA_PDU_NAME_PDUS_H_

#include <cstdint>
#include <string_view>

#include "reference/core/identifiers.h"
#include "reference/pmda/pdu/list.h"

// PDUs of the name space: 4.9 and 4.10.

namespace pmproof::pdu {

// A request for the names of PMIDs, or the PMIDs of names (PDU-070).
struct PmnsIds {
  std::int32_t status = 0;  // 0 in a request; from pmcd the number of names that have a PMID
  List<Pmid> pmids{};       // at least one; PM_ID_NULL for a name that has none

  friend bool operator==(const PmnsIds&, const PmnsIds&) = default;
};

// Of a name (PDU-068).
inline constexpr std::int32_t kLeaf = 0;
inline constexpr std::int32_t kNonLeaf = 1;

struct PmnsName {
  std::string_view name{};
  std::int32_t status = kLeaf;  // kLeaf too where the list has no status

  friend bool operator==(const PmnsName&, const PmnsName&) = default;
};

// A request for the PMIDs of names, or the answer to PMNS_IDS, PMNS_CHILD and PMNS_TRAVERSE. The
// list may be empty (PDU-069).
struct PmnsNames {
  bool has_status = false;  // only of a list that is not empty
  List<PmnsName> names{};

  friend bool operator==(const PmnsNames&, const PmnsNames&) = default;
};

// The last components of the names below a name.
struct PmnsChild {
  std::int32_t subtype = 0;  // 1: with status
  std::string_view name{};   // empty: the root (PDU-071)

  friend bool operator==(const PmnsChild&, const PmnsChild&) = default;
};

// The full names of all leaves below a name.
struct PmnsTraverse {
  std::int32_t subtype = 0;
  std::string_view name{};

  friend bool operator==(const PmnsTraverse&, const PmnsTraverse&) = default;
};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_NAME_PDUS_H_
