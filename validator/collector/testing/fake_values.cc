// SPDX-License-Identifier: Apache-2.0
#include "validator/collector/testing/fake_values.h"

#include <algorithm>

#include "reference/core/value.h"
#include "reference/pmda/pdu/error_codes.h"
#include "validator/collector/stub_roles.h"
#include "validator/collector/testing/fake_agents.h"

namespace pmproof::validator::collector {
namespace {

constexpr Pmid kVersionMetric = Pmid::Of(kPmcdDomain, 0, 7);
constexpr Pmid kOpenDescriptors = Pmid::Of(kPmcdDomain, 0, 17);
constexpr Pmid kNumfetch = Pmid::Of(kSimpleDomain, 0, 0);
constexpr Pmid kColor = Pmid::Of(kSimpleDomain, 0, 1);

}  // namespace

void FakeValues::OnFetch(const std::vector<Pmid>& pmids) {
  const auto simple = [](Pmid pmid) { return pmid.domain() == kSimpleDomain; };
  if (std::ranges::any_of(pmids, simple)) ++numfetch_;
}

void FakeValues::Add(Pmid pmid, const pdu::Profile& profile, std::size_t clients,
                     pdu::ResultBuilder* builder) const {
  if (pmid.domain() == kNoDomain) return builder->AddSet(pmid, pdu::kErrNoAgent);
  if (!IsKnownMetric(pmid)) return builder->AddSet(pmid, ErrorCode::kPmid);
  builder->AddSet(pmid);
  if (pmid == kColor) {
    for (std::int32_t i = 0; i < 3; ++i) {
      if (profile.Includes(Indom::Of(kSimpleDomain, 0), i)) builder->Add(i, Value::Of(i));
    }
  } else if (pmid == kVersionMetric) {
    builder->AddString(kInstanceNull, version_);
  } else {
    builder->Add(kInstanceNull,
                 Value::Of(pmid == kNumfetch          ? numfetch_
                           : pmid == kOpenDescriptors ? 10 + static_cast<std::uint32_t>(clients)
                                                      : 10));
  }
}

ErrorCode FakeValues::Store(const pdu::Result& store, bool read_only) {
  ErrorCode code = ErrorCode::kOk;
  for (const pdu::ValueSet& set : store.sets) {
    if (set.values.empty()) continue;
    if (read_only) {
      code = pdu::kErrPermission;
    } else if (set.pmid.domain() == kNoDomain) {
      code = pdu::kErrNoAgent;
    } else if (set.pmid != kNumfetch) {
      code = pdu::kErrPermission;
    } else if (static_cast<std::int32_t>(set.values[0].word) < 0) {
      numfetch_ = 0;
      code = pdu::kErrBadStore;
    } else {
      numfetch_ = set.values[0].word;
    }
  }
  return code;
}

}  // namespace pmproof::validator::collector
