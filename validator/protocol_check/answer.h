// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_ANSWER_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_ANSWER_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "reference/pmda/pdu/decoder.h"

namespace pmproof::validator::agent {

// What came when something was listened for. Owns its bytes: what it decodes to holds as long as
// the Answer, also when that is moved.
class Answer {
 public:
  enum class Kind : std::uint8_t {
    kPdu,        // one whole PDU, decoded or not
    kNothing,    // not before the time limit; `note` tells of a part of a PDU
    kEnd,        // end of file, or the connection is broken; `note` tells of a part of a PDU
    kNoFraming,  // bytes that are not a PDU, from which there is no way back (PDU-003, PDU-007)
  };

  explicit Answer(Kind kind, std::string note = "") : kind_(kind), note_(std::move(note)) {}
  explicit Answer(Bytes pdu);

  Kind kind() const { return kind_; }
  bool is_pdu() const { return kind_ == Kind::kPdu; }
  Bytes bytes() const { return bytes_; }
  const std::string& note() const { return note_; }

  // Of kPdu.
  pdu::Header header() const { return pdu::LoadHeader(bytes_); }
  // Null if these bytes are not decoded.
  const pdu::Pdu* decoded() const { return decoded_ ? &*decoded_ : nullptr; }
  const pdu::PduError& fault() const { return decoded_.error(); }
  // What a tolerant reader overlooks.
  pdu::Departures departures() const { return decoder_.departures(); }

  // Null if it is not such a PDU.
  template <typename T>
  const T* As() const {
    return is_pdu() && decoded_ ? std::get_if<T>(&decoded_->body) : nullptr;
  }

  // Event arrays and the padding of TEXT are left to the checks that are about them.
  static constexpr pdu::Strictness kStrictness = [] {
    pdu::Strictness strictness = pdu::kV72;
    strictness.event_arrays_unchecked = true;
    strictness.unpadded_text_taken = true;
    return strictness;
  }();

  // The PDU with its fields, cut where it is long; ToText() of what is none.
  std::string Content() const;

  // For a sentence: "ERROR -12358 (PM_ERR_PMID)", "DESC", "no answer", "end of file".
  std::string ToText() const;

 private:
  Kind kind_;
  std::string note_{};
  std::vector<std::uint8_t> bytes_{};
  pdu::Decoder decoder_{kStrictness};
  tl::expected<pdu::Pdu, pdu::PduError> decoded_{tl::unexpect, pdu::PduError{}};
};

// "DESC_REQ pmid=253.0.0": a PDU for a sentence, cut where it is long.
std::string Brief(const pdu::Body& body);

// "-12358 (PM_ERR_PMID)"; also the codes that only agents use.
std::string CodeText(ErrorCode code);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_ANSWER_H_
