// SPDX-License-Identifier: Apache-2.0
// 16.6, requests that are malformed.

#include <csignal>

#include "generators/agent/faults/edit_pdu.h"
#include "generators/agent/faults/faults.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;

bool IsMalformed(const Request& request, PduType type) {
  return request.type == type && request.decoded == nullptr;
}
// With so many bytes.
bool IsMalformed(const Request& request, PduType type, std::size_t size) {
  return IsMalformed(request, type) && request.bytes.size() == size;
}

// What an agent does wrong with those that `kFits`. What a changed word can make of a good request
// must not crash it: that would be CKA-155's as well, if only by chance.
template <bool (*kFits)(const Request&)>
void Silent(FaultContext&, const Request& request, Buffer& reply) {
  if (kFits(request)) reply.clear();
}
template <bool (*kFits)(const Request&)>
void Twice(FaultContext&, const Request& request, Buffer& reply) {
  if (kFits(request)) Append(reply, ErrorReply(pdu::kErrIpc));
}
template <bool (*kFits)(const Request&)>
void Crash(FaultContext& context, const Request& request, Buffer&) {
  if (kFits(request)) context.Die(SIGSEGV);
}
template <bool (*kFits)(const Request&), ErrorCode kCode>
void OtherError(FaultContext&, const Request& request, Buffer& reply) {
  if (kFits(request)) reply = ErrorReply(kCode);
}

std::uint32_t Word(const Request& request, std::size_t offset) {
  return offset + 4 <= request.bytes.size() ? LoadU32(request.bytes.data() + offset) : 0;
}

bool EmptyFetch(const Request& r) {
  return IsMalformed(r, PduType::kFetch, 32) && Word(r, 24) == 0;
}
bool HugeFetch(const Request& r) {
  return IsMalformed(r, PduType::kFetch) && Word(r, 24) == 0x40000001;
}
bool FetchOfMoreThanThere(const Request& r) {
  return IsMalformed(r, PduType::kFetch, 32) && Word(r, 24) == 2;
}
bool FetchWithoutCount(const Request& r) { return IsMalformed(r, PduType::kFetch, 12); }
bool ShortDescReq(const Request& r) { return IsMalformed(r, PduType::kDescReq, 12); }
bool ShortTextReq(const Request& r) { return IsMalformed(r, PduType::kTextReq, 16); }
bool ShortLabelReq(const Request& r) { return IsMalformed(r, PduType::kLabelReq, 16); }
bool ShortInstanceReq(const Request& r) { return IsMalformed(r, PduType::kInstanceReq, 28); }
bool NameOfInstancePastEnd(const Request& r) {
  return IsMalformed(r, PduType::kInstanceReq, 32) && Word(r, 28) == 100;
}
bool UnpaddedInstanceReq(const Request& r) {
  return r.type == PduType::kInstanceReq && r.bytes.size() == 35;
}
bool InstanceNameWithNul(const Request& r) {
  const auto* asked = r.As<pdu::InstanceReq>();
  return asked != nullptr && asked->name.find('\0') != std::string_view::npos;
}
bool InstancesOfNoIndom(const Request& r) {
  const auto* asked = r.As<pdu::InstanceReq>();
  return asked != nullptr && asked->indom.IsNull();
}
bool ShortStore(const Request& r) { return IsMalformed(r, PduType::kResult, 20); }
bool StoreOfNegativeCount(const Request& r) {
  return IsMalformed(r, PduType::kResult) && Word(r, 20) == 0xffffffff;
}
bool StoreOfUnknownFormat(const Request& r) {
  return IsMalformed(r, PduType::kResult) && Word(r, 32) == 9;
}
bool MalformedStore(const Request& r) { return IsMalformed(r, PduType::kResult); }
bool NegativeCountOfNames(const Request& r) {
  return IsMalformed(r, PduType::kPmnsNames) && Word(r, 20) == 0xffffffff;
}
bool TwoNames(const Request& r) {
  const auto* names = r.As<pdu::PmnsNames>();
  return names != nullptr && names->names.size() == 2;
}
bool TwoIds(const Request& r) {
  const auto* ids = r.As<pdu::PmnsIds>();
  return ids != nullptr && ids->pmids.size() == 2;
}
bool NegativeChildName(const Request& r) {
  return IsMalformed(r, PduType::kPmnsChild) && static_cast<std::int32_t>(Word(r, 16)) < 0;
}
bool OddTextType(const Request& r) {
  const auto* asked = r.As<pdu::TextReq>();
  return asked != nullptr && asked->type > 15;
}

}  // namespace

std::vector<Fault> MalformedFaults() {
  return {
      {.id = "empty-fetch-is-not-answered",
       .check = "CKA-137"_clause,
       .does = "a FETCH of no metric is not answered",
       .reply = Silent<EmptyFetch>},
      {.id = "huge-fetch-is-not-answered",
       .check = "CKA-137"_clause,
       .does = "a FETCH whose count overflows is not answered",
       .reply = Silent<HugeFetch>},
      {.id = "fetch-of-more-is-a-pmid-error",
       .check = "CKA-137"_clause,
       .does = "a FETCH of more metrics than there are is answered with PM_ERR_PMID",
       .reply = OtherError<FetchOfMoreThanThere, ErrorCode::kPmid>},
      {.id = "fetch-without-count-is-not-answered",
       .check = "CKA-138"_clause,
       .does = "a FETCH of 12 bytes is not answered",
       .reply = Silent<FetchWithoutCount>},
      {.id = "short-desc-req-is-not-answered",
       .check = "CKA-139"_clause,
       .does = "a DESC_REQ of 12 bytes is not answered",
       .reply = Silent<ShortDescReq>},
      {.id = "short-text-req-is-not-answered",
       .check = "CKA-140"_clause,
       .does = "a TEXT_REQ of 16 bytes is not answered",
       .reply = Silent<ShortTextReq>},
      {.id = "short-label-req-kills",
       .check = "CKA-141"_clause,
       .does = "it crashes on a LABEL_REQ of 16 bytes",
       .together = {"CKA-167"_clause},
       .request = Crash<ShortLabelReq>},
      {.id = "short-instance-req-kills",
       .check = "CKA-142"_clause,
       .does = "it crashes on an INSTANCE_REQ of 28 bytes",
       .together = {"CKA-167"_clause},
       .request = Crash<ShortInstanceReq>},
      {.id = "instance-name-past-the-end-kills",
       .check = "CKA-143"_clause,
       .does = "it crashes on an INSTANCE_REQ whose name is after its end",
       .together = {"CKA-167"_clause},
       .request = Crash<NameOfInstancePastEnd>},
      {.id = "unpadded-instance-req-kills",
       .check = "CKA-144"_clause,
       .does = "it crashes on an INSTANCE_REQ without padding",
       .together = {"CKA-167"_clause},
       .request = Crash<UnpaddedInstanceReq>},
      {.id = "instance-name-with-nul-is-a-name-error",
       .check = "CKA-145"_clause,
       .does = "an instance name with NUL is answered with PM_ERR_NAME",
       .reply = OtherError<InstanceNameWithNul, ErrorCode::kName>},
      {.id = "instances-of-no-indom-hang",
       .check = "CKA-146"_clause,
       .does = "an INSTANCE_REQ of PM_INDOM_NULL is not answered",
       .reply = Silent<InstancesOfNoIndom>},
      {.id = "instances-of-no-indom-is-an-instance-error",
       .check = "CKA-146"_clause,
       .does = "an INSTANCE_REQ of PM_INDOM_NULL is answered with PM_ERR_INST",
       .reply = OtherError<InstancesOfNoIndom, ErrorCode::kInstance>},
      {.id = "short-store-is-not-answered",
       .check = "CKA-147"_clause,
       .does = "a RESULT of 20 bytes is not answered",
       .reply = Silent<ShortStore>},
      {.id = "store-of-negative-count-succeeds",
       .check = "CKA-147"_clause,
       .does = "a RESULT whose npmid is -1 is answered with ERROR 0",
       .reply = OtherError<StoreOfNegativeCount, ErrorCode::kOk>},
      {.id = "store-of-unknown-format-kills",
       .check = "CKA-147"_clause,
       .does = "it crashes on a RESULT whose valfmt is 9",
       .together = {"CKA-167"_clause},
       .request = Crash<StoreOfUnknownFormat>},
      {.id = "negative-count-of-names-is-not-answered",
       .check = "CKA-148"_clause,
       .does = "a PMNS_NAMES whose numnames is -1 is not answered",
       .reply = Silent<NegativeCountOfNames>},
      {.id = "two-names-are-answered-twice",
       .check = "CKA-148"_clause,
       .does = "a PMNS_NAMES of two names has two answers",
       .reply = Twice<TwoNames>},
      {.id = "two-ids-are-answered-twice",
       .check = "CKA-149"_clause,
       .does = "a PMNS_IDS of two PMIDs has two answers",
       .reply = Twice<TwoIds>},
      {.id = "negative-child-name-is-not-answered",
       .check = "CKA-149"_clause,
       .does = "a PMNS_CHILD whose namelen is negative is not answered",
       .reply = Silent<NegativeChildName>},
      {.id = "odd-text-type-is-answered-twice",
       .check = "CKA-155"_clause,
       .does = "a TEXT_REQ with unknown bits in its type has two answers",
       .reply = Twice<OddTextType>},
      {.id = "store-after-a-malformed-one-kills",
       .check = "CKA-166"_clause,
       .does = "it crashes on a fetch and a store after a malformed store",
       .together = {"CKA-167"_clause},
       .request =
           [](FaultContext& context, const Request& request, Buffer&) {
             if (MalformedStore(request)) {
               context.count = 1;
             } else if (context.count == 1 && request.As<pdu::Fetch>() != nullptr) {
               context.count = 2;
             } else if (context.count == 2 && request.As<pdu::Result>() != nullptr) {
               context.Die(SIGABRT);
             }
           }},
  };
}

}  // namespace pmproof::generators
