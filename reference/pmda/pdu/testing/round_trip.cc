// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/testing/round_trip.h"

namespace pmproof::pdu {
namespace {

// The PDU that these bytes are, as the body that is expected; null if it is none.
template <typename T, typename End>
tl::expected<T, PduError> Receive(const Buffer& bytes, End* end) {
  end->frames.Append(bytes);
  const auto frame = end->frames.Next();
  if (!frame) return tl::make_unexpected(frame.error());
  if (!*frame) return tl::make_unexpected(PduError{});
  const auto pdu = end->decoder.Decode(**frame);
  if (!pdu) return tl::make_unexpected(pdu.error());
  const T* body = std::get_if<T>(&pdu->body);
  if (body == nullptr) return tl::make_unexpected(PduError{});
  return *body;
}

}  // namespace

RoundTrip::RoundTrip() {
  for (std::uint32_t i = 0; i < kMetrics; ++i) pmids_[i] = Pmid::Of(29, 0, i);
}

bool RoundTrip::Answer(const Fetch& fetch) {
  builder_.Begin();
  for (const Pmid pmid : fetch.pmids) {
    builder_.AddSet(pmid);
    if (pmid.item() % 2 == 0) {
      builder_.Add(kInstanceNull, Value::Of(pmid.item()));
    } else {
      builder_.Add(kInstanceNull, Value::Of(0.5 * pmid.item()));
    }
  }
  agent_.out.clear();
  return builder_.Finish(ResultBuilder::Envelope{}, &agent_.out).has_value();
}

std::size_t RoundTrip::Run() {
  collector_.out.clear();
  if (!Encode({.body = Fetch{.pmids = pmids_}}, &collector_.out)) return 0;
  const auto fetch = Receive<Fetch>(collector_.out, &agent_);
  if (!fetch || !Answer(*fetch)) return 0;
  const auto result = Receive<Result>(agent_.out, &collector_);
  if (!result) return 0;
  std::size_t values = 0;
  for (const ValueSet& set : result->sets) values += set.values.size();
  return values;
}

}  // namespace pmproof::pdu
