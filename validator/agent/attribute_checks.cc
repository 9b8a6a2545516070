// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "validator/agent/check.h"
#include "validator/agent/offence_walk.h"

// 16.4, what is told with ATTR.

namespace pmproof::validator::agent {
namespace {

using Attributes = std::span<const std::pair<pdu::Attribute, std::string_view>>;

// The agent says nothing to any of these, each of which ends with a NUL as from pmcd (PDU-040).
Verdict SilentTo(Bench& bench, Session& session, Attributes attributes) {
  OffenceWalk offences(bench, session);
  for (const auto& [attribute, value] : attributes) {
    const std::string text = std::string(value) + '\0';
    const Verdict silent = bench.Silent(session, pdu::Attr{attribute, text});
    if (silent.passed()) continue;
    if (!offences.GoOn("ATTR " + std::to_string(static_cast<std::int32_t>(attribute)) + " \"" +
                       std::string(value) + "\": " + silent.because)) {
      break;
    }
  }
  return offences.Or(Verdict::Pass());
}

// CKA-100
Verdict AttributesAreNotAnswered(Bench& bench, Session& session) {
  constexpr std::pair<pdu::Attribute, std::string_view> kAttributes[] = {
      {pdu::Attribute::kProcessId, "1"},     {pdu::Attribute::kGroupId, "0"},
      {pdu::Attribute::kUserId, "0"},        {pdu::Attribute::kContainer, "box"},
      {static_cast<pdu::Attribute>(99), ""},
  };
  return SilentTo(bench, session, kAttributes);
}

// CKA-101
Verdict UnaskedAttributesAreNotAnswered(Bench& bench, Session& session) {
  if (session.flags() != 0) {
    return Verdict::NotChecked("the agent asked for attributes: its CREDS have flags " +
                               std::to_string(session.flags()));
  }
  constexpr std::pair<pdu::Attribute, std::string_view> kAttributes[] = {
      {pdu::Attribute::kUserId, "0"}};
  return SilentTo(bench, session, kAttributes);
}

constexpr Check kChecks[] = {
    {"CKA-100"_clause, AttributesAreNotAnswered},
    {"CKA-101"_clause, UnaskedAttributesAreNotAnswered},
};

}  // namespace

std::span<const Check> AttributeChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
