// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/decoder.h"

#include "reference/pmda/pdu/coding.h"

namespace pmproof::pdu {
namespace {

template <typename T>
tl::expected<Body, PduError> Take(Reader& in) {
  T pdu;
  if (const Outcome outcome = Read(in, &pdu); !outcome) return tl::make_unexpected(outcome.error());
  return pdu;
}

tl::expected<Body, PduError> TakeBody(PduType type, Reader& in) {
  switch (type) {
    case PduType::kError:
      return Take<Error>(in);
    case PduType::kResult:
      return Take<Result>(in);
    case PduType::kProfile:
      return Take<Profile>(in);
    case PduType::kFetch:
      return Take<Fetch>(in);
    case PduType::kDescReq:
      return Take<DescReq>(in);
    case PduType::kDesc:
      return Take<Desc>(in);
    case PduType::kInstanceReq:
      return Take<InstanceReq>(in);
    case PduType::kInstance:
      return Take<Instance>(in);
    case PduType::kTextReq:
      return Take<TextReq>(in);
    case PduType::kText:
      return Take<Text>(in);
    case PduType::kCreds:
      return Take<Creds>(in);
    case PduType::kPmnsIds:
      return Take<PmnsIds>(in);
    case PduType::kPmnsNames:
      return Take<PmnsNames>(in);
    case PduType::kPmnsChild:
      return Take<PmnsChild>(in);
    case PduType::kPmnsTraverse:
      return Take<PmnsTraverse>(in);
    case PduType::kAttr:
      return Take<Attr>(in);
    case PduType::kLabelReq:
      return Take<LabelReq>(in);
    case PduType::kLabel:
      return Take<Label>(in);
    case PduType::kHighresFetch:
      return Take<HighresFetch>(in);
    case PduType::kHighresResult:
      return Take<HighresResult>(in);
    case PduType::kDescIds:
      return Take<DescIds>(in);
    case PduType::kDescs:
      return Take<Descs>(in);
    case PduType::kControlReq:
      break;
  }
  return Fault("PDU-020"_clause, 4, "type", "is not known");
}

}  // namespace

Decoder::Decoder(const Strictness& strictness)
    : strictness_(strictness), lists_(std::make_unique<DecodedLists>()) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

tl::expected<Pdu, PduError> Decoder::Decode(Bytes pdu) {
  departures_.Clear();
  if (pdu.size() < kHeaderSize) return Fault("PDU-003"_clause, 0, "len", "is below 12");
  const Header header = LoadHeader(pdu);
  if (header.length < 0 || static_cast<std::size_t>(header.length) != pdu.size()) {
    return Fault("PDU-002"_clause, 0, "len", "is not the number of bytes");
  }
  Reader in(pdu, strictness_, &departures_, lists_.get());
  auto body = TakeBody(header.type, in);
  if (!body) {
    departures_.Clear();
    return tl::make_unexpected(body.error());
  }
  return Pdu{header.from, *body};
}

}  // namespace pmproof::pdu
