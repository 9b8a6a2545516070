// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/policy_use.h"

namespace pmproof::validator {

const char* IdOf(PolicyCheck check) {
  switch (check) {
    case PolicyCheck::kExpired:
      return "POL-001";
    case PolicyCheck::kUnmatched:
      return "POL-002";
    case PolicyCheck::kMetrics:
      return "POL-101";
    case PolicyCheck::kSpan:
      return "POL-102";
    case PolicyCheck::kInterval:
      return "POL-103";
    case PolicyCheck::kGap:
      return "POL-104";
    case PolicyCheck::kHost:
      return "POL-105";
    case PolicyCheck::kLabelKeys:
      return "POL-106";
    case PolicyCheck::kTimeZone:
      return "POL-107";
    case PolicyCheck::kCompression:
      return "POL-108";
    case PolicyCheck::kVersion:
      return "POL-109";
  }
  return "?";
}

std::optional<PolicyCheck> ParsePolicyCheck(std::string_view id) {
  static constexpr PolicyCheck kChecks[] = {
      PolicyCheck::kExpired, PolicyCheck::kUnmatched,   PolicyCheck::kMetrics,
      PolicyCheck::kSpan,    PolicyCheck::kInterval,    PolicyCheck::kGap,
      PolicyCheck::kHost,    PolicyCheck::kLabelKeys,   PolicyCheck::kTimeZone,
      PolicyCheck::kVersion, PolicyCheck::kCompression,
  };
  for (const PolicyCheck check : kChecks) {
    if (id == IdOf(check)) return check;
  }
  return std::nullopt;
}

const char* TitleOf(PolicyCheck check) {
  switch (check) {
    case PolicyCheck::kExpired:
      return "an entry of the policy is in force";
    case PolicyCheck::kUnmatched:
      return "an entry of the policy fits something";
    case PolicyCheck::kMetrics:
      return "the metrics that the policy names are there";
    case PolicyCheck::kSpan:
      return "the archive spans as much time as the policy requires";
    case PolicyCheck::kInterval:
      return "the typical interval of records is as short as the policy requires";
    case PolicyCheck::kGap:
      return "no two data records are further apart than the policy allows";
    case PolicyCheck::kHost:
      return "the host is one that the policy names";
    case PolicyCheck::kLabelKeys:
      return "the archive has the labels that the policy names";
    case PolicyCheck::kTimeZone:
      return "the time zone is one that the policy names";
    case PolicyCheck::kCompression:
      return "the volumes are compressed as the policy allows";
    case PolicyCheck::kVersion:
      return "the version of the archive is one that the policy names";
  }
  return "?";
}

}  // namespace pmproof::validator
