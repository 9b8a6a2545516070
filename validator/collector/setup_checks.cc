// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "validator/collector/checks.h"

// CKC-001..009: how a client's connection is set up (section 7.2).

namespace pmproof::validator::collector {
namespace {

constexpr std::uint32_t kPlainFeatures = 0x0e44;
// Features of builds and configurations that a plain one has not.
constexpr std::uint32_t kOtherFeatures = pdu::kFeatureSecure | pdu::kFeatureCredsRequired |
                                         pdu::kFeatureSecureAck | pdu::kFeatureCertRequired;

void Challenge(Trial& trial) {  // CKC-001
  Client& client = trial.Knock(trial.subject().door);
  const Answer answer = client.Receive();
  const auto* const error = trial.ExpectPdu<pdu::Error>(answer, "connecting");
  if (error == nullptr) return;
  trial.Expect(answer.bytes().size() == 20 && error->datum && error->code == ErrorCode::kOk,
               "connecting", "ERROR of 20 bytes with code 0",
               answer.ToText() + " of " + std::to_string(answer.bytes().size()) + " bytes");
  const std::uint32_t datum = error->datum.value_or(0);
  const std::string shown = pdu::ToText(*answer.decoded());
  trial.Expect(datum >> 31 == 0, "challenge", "bit 31 zero", shown);
  trial.Expect((datum >> 24 & 0x7f) == pdu::kProtocolVersion, "challenge", "version 2", shown);
  trial.Expect((datum >> 16 & 0xff) == 1, "challenge", "1 in bits 23..16", shown);
  const std::uint32_t features = datum & 0xffff;
  trial.Expect((features & ~kOtherFeatures) == kPlainFeatures, "challenge",
               "the features 0x0e44, but for those of TLS and of credentials", shown);
  if (features != kPlainFeatures) trial.Note("not a plain build: " + shown);
}

void CredsFirst(Trial& trial) {  // CKC-002
  Client& client = trial.Greet();
  trial.ExpectClosed(client.Ask(DescReqOf(Pmid::Of(kSimpleDomain, 0, 0))),
                     "DESC_REQ in place of CREDS");
}

void Unversioned(Trial& trial) {  // CKC-003
  Client& client = trial.Greet();
  client.Send(CredsOf(0, 0));
  trial.ExpectClosed(client.Ask(ChildrenOf("", 0)), "PMNS_CHILD after CREDS of version 0");
}

void Versions(Trial& trial) {  // CKC-004
  for (const std::uint8_t version : std::to_array<std::uint8_t>({1, 2, 3})) {
    Client& client = trial.Greet();
    client.Send(CredsOf(version, 0));
    trial.ExpectUsable(client, "CREDS of version " + std::to_string(version));
  }
}

void UnknownCredential(Trial& trial) {  // CKC-005
  Client& client = trial.Greet();
  // A credential of type 9 alone (PDU-053).
  client.Send(Words({0x14, 0x700c, 0, 1, 0x09000000}));
  const Answer first = client.Ask(DescReqOf(Pmid::Of(kSimpleDomain, 0, 0)));
  if (first.As<pdu::Error>() == nullptr) {
    trial.ExpectClosed(first, "DESC_REQ after CREDS of an unknown type");
    return;
  }
  // The credential is answered before the connection goes (PDU-053).
  trial.ExpectError(first, pdu::kErrIpc, "CREDS of an unknown type");
  trial.Note("ERROR -12366 came first");
  trial.ExpectClosed(client.Receive(), "DESC_REQ after CREDS of an unknown type");
}

void NoCredentials(Trial& trial) {  // CKC-006
  Client& client = trial.Greet();
  client.Send(Words({0x10, 0x700c, 0, 0}));
  client.Send(ChildrenOf("", 0));
  const Answer answer = client.Receive();
  const Due due = DueFrom(trial.subject().version, {{6, 0, 99}}, {{6, 3, 1}});
  const bool error = answer.As<pdu::Error>() != nullptr;
  if (due == Due::kNew || (due == Due::kEither && error)) {
    trial.ExpectError(answer, pdu::kErrIpc, "CREDS without credentials");
    if (due == Due::kEither) trial.Note("as 6.3.1 and later: refused with ERROR");
    trial.ExpectClosed(client.Receive(), "PMNS_CHILD after CREDS without credentials");
    return;
  }
  trial.ExpectClosed(answer, "PMNS_CHILD after CREDS without credentials");
  if (due == Due::kEither) trial.Note("as 6.0.3: silent");
}

std::uint32_t Features(Trial& trial, Client& client) {
  const Answer answer = client.Receive();
  const auto* const error = trial.ExpectPdu<pdu::Error>(answer, "connecting");
  if (error != nullptr) return error->datum.value_or(0) & 0xffff;
  trial.Stop();
  return 0;
}

void Secure(Trial& trial) {  // CKC-007
  Client& client = trial.Knock(trial.subject().door);
  if ((Features(trial, client) & pdu::kFeatureSecure) != 0) {
    trial.NotChecked("the collector has TLS: its challenge says SECURE");
    return;
  }
  const Answer answer = client.Ask(CredsOf(pdu::kProtocolVersion, pdu::kFeatureSecure));
  trial.ExpectError(answer, pdu::kErrNotConnected, "CREDS with SECURE");
  trial.ExpectUsable(client, "CREDS with SECURE");
}

void Container(Trial& trial) {  // CKC-008
  Client& client = trial.Greet();
  client.Send(CredsOf(pdu::kProtocolVersion, pdu::kFeatureContainer));
  client.Send(Encoded(pdu::Attr{.attribute = pdu::Attribute::kContainer, .value = "pmproof"}));
  trial.ExpectUsable(client, "CREDS with CONTAINER and ATTR 15");
  Client& other = trial.Greet();
  other.Send(CredsOf(pdu::kProtocolVersion, pdu::kFeatureContainer));
  trial.ExpectError(other.Ask(ChildrenOf("", 0)), pdu::kErrIpc,
                    "CREDS with CONTAINER, then PMNS_CHILD in place of ATTR");
}

void Authentication(Trial& trial) {  // CKC-009
  constexpr std::int32_t kLastOwnCode = -21344;
  Client& client = trial.Knock(trial.subject().door);
  if (trial.decided()) return;
  if ((Features(trial, client) & pdu::kFeatureAuth) == 0) {
    trial.NotChecked("the collector has no SASL: its challenge does not say AUTH");
    return;
  }
  const Answer answer = client.Ask(CredsOf(pdu::kProtocolVersion, pdu::kFeatureAuth));
  if (trial.decided()) return;
  if (const auto* const attribute = answer.As<pdu::Attr>()) {
    trial.Expect(attribute->attribute == pdu::Attribute::kSasl, "CREDS with AUTH",
                 "ATTR of attribute 0", pdu::ToText(*answer.decoded()));
    trial.Note("mechanisms: " + std::string(UpToNul(attribute->value)));
    return;
  }
  const auto* const error = answer.As<pdu::Error>();
  trial.Expect(error != nullptr && static_cast<std::int32_t>(error->code) < kLastOwnCode,
               "CREDS with AUTH", "ATTR with the mechanisms, or ERROR below -21344",
               answer.ToText());
  trial.Note("SASL cannot be used: " + answer.ToText());
}

constexpr std::array kChecks = {
    Check{"CKC-001"_clause, Challenge},
    Check{"CKC-002"_clause, CredsFirst},
    Check{"CKC-003"_clause, Unversioned},
    Check{"CKC-004"_clause, Versions},
    Check{"CKC-005"_clause, UnknownCredential},
    Check{"CKC-006"_clause, NoCredentials},
    Check{"CKC-007"_clause, Secure},
    Check{"CKC-008"_clause, Container},
    Check{"CKC-009"_clause, Authentication},
};

}  // namespace

std::span<const Check> SetupChecks() { return kChecks; }

}  // namespace pmproof::validator::collector
