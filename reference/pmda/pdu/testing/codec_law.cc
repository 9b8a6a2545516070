// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/testing/codec_law.h"

#include <algorithm>

#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/pdu_text.h"

namespace pmproof::pdu {
namespace {

// What is overlooked and has no canonical form.
bool HasNoCanonicalForm(const Departures& departures) {
  return departures.Has(Departure::kEmptyCreds) || departures.Has(Departure::kEventRecords) ||
         departures.Has(Departure::kLabelTexts) || departures.Has(Departure::kEmptyNames);
}

}  // namespace

std::string BrokenLaw(Bytes bytes, const Strictness& strictness) {
  Decoder decoder(strictness);
  const auto pdu = decoder.Decode(bytes);
  const Departures departures = decoder.departures();
  if (!pdu) {
    const PduError& error = pdu.error();
    const bool complete = error.offset <= bytes.size() && !error.clause.empty() &&
                          !error.field.empty() && !error.message.empty() &&
                          static_cast<std::int32_t>(error.code) < 0;
    if (!departures.empty()) return "departures of a PDU that was refused";
    return complete ? "" : "an error that says too little: " + error.ToText();
  }
  bool explained = true;
  departures.ForEach([&](Departure departure) {
    explained &= !ClauseOf(departure, TypeOf(pdu->body)).empty() && !ToText(departure).empty();
  });
  if (!explained) return "a departure without a clause: " + ToText(*pdu);

  Buffer again;
  if (const auto encoded = Encode(*pdu, &again); !encoded) {
    if (!again.empty()) return "bytes of a PDU that was refused";
    return HasNoCanonicalForm(departures)
               ? ""
               : "decoded but not encoded: " + ToText(*pdu) + ": " + encoded.error().ToText();
  }
  if (departures.empty() && !std::ranges::equal(again, bytes)) {
    return "other bytes: " + ToText(*pdu);
  }
  // A list that ends with an empty name has no form that every version takes (PDU-069).
  if (departures.Has(Departure::kEmptyNames)) return "";
  for (const Strictness* each : kStrictnesses) {
    Decoder other(*each);
    const auto same = other.Decode(again);
    if (!same || *same != *pdu || !other.departures().empty()) {
      return "not canonical for " + std::string(each->version) + ": " + ToText(*pdu);
    }
  }
  return "";
}

}  // namespace pmproof::pdu
