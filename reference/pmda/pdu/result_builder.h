// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_RESULT_BUILDER_H_
#define PMPROOF_REFERENCE_PMDA_PDU_RESULT_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/bytes.h"
#include "reference/core/value.h"
#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/result_pdus.h"

namespace pmproof::pdu {

class Writer;

// Makes a RESULT value by value: an agent's reply to a fetch, a client's store. Nothing is kept but
// the bytes made so far, so that values may go away once they were added. Use one builder again and
// again: it keeps its memory.
//
//   builder.Begin();
//   builder.AddSet(pmid);             // and for a failed metric AddSet(pmid, ErrorCode::kPmid)
//   builder.Add(kInstanceNull, Value::Of(10.0));
//   builder.Finish({.from = 0}, &out);
class ResultBuilder {
 public:
  struct Envelope {
    std::int32_t from = 0;
    std::int32_t seconds = 0;  // state changes in an agent's reply (PDU-111)
    std::int32_t microseconds = 0;
  };
  struct HighresEnvelope {
    std::int32_t from = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
  };

  // Forgets what was added.
  void Begin();

  // The next value set, in the order of the request (PDU-109). Without values it stays a set with
  // numval 0. With a status, negative, it takes no values.
  void AddSet(Pmid pmid);
  void AddSet(Pmid pmid, ErrorCode status);
  // The status of the set added last, for who learns only after it that it has no value (PMD-083).
  void SetStatus(ErrorCode status);

  // A value of the set added last: 32 and U32 in situ, all else as a block (PDU-102). Opaque values
  // are copied as they are.
  void Add(std::int32_t instance, const Value& value);
  // A STRING, whose NUL is added (PDU-105).
  void AddString(std::int32_t instance, std::string_view text);
  // A block of any type and content.
  void AddBlock(std::int32_t instance, MetricType type, Bytes body);

  // Appends the PDU to `out`; Begin comes next. Refused, with `out` as it was: a set of values in
  // situ and others (PDU-101), a block beyond kMaxBlockBody (PDU-104), a status above 0 or followed
  // by values (PDU-100).
  tl::expected<void, PduError> Finish(const Envelope& envelope, Buffer* out);
  tl::expected<void, PduError> Finish(const HighresEnvelope& envelope, Buffer* out);

 private:
  // Begins a pair of the current set and returns the place of its second word.
  std::uint8_t* AddPair(std::int32_t instance, ValueFormat format);
  std::uint8_t* AddBlockHeader(std::int32_t instance, MetricType type, std::size_t body);
  void WriteSets(std::size_t end_of_sets, Writer* out);

  Buffer sets_;          // as on the wire, but for block offsets: words from the first block
  Buffer blocks_;        // as on the wire
  std::size_t set_ = 0;  // of the current set, in sets_
  std::int32_t set_count_ = 0;
  std::int32_t value_count_ = 0;  // of the current set
  std::optional<PduError> fault_;
};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_RESULT_BUILDER_H_
