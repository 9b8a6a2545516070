// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_EVENT_ARRAY_BUILDER_H_
#define PMPROOF_REFERENCE_PMDA_PDU_EVENT_ARRAY_BUILDER_H_

#include <cstddef>
#include <cstdint>

#include "reference/core/bytes.h"
#include "reference/core/timestamp.h"
#include "reference/core/value.h"
#include "reference/pmda/pdu/encode.h"

namespace pmproof::pdu {

// Makes the body of an EVENT or HIGHRES_EVENT block record by record (5.3), for
// ResultBuilder::AddBlock. Use it again and again: it keeps its memory. EventArray reads
// what it makes.
class EventArrayBuilder {
 public:
  // `type` is kEvent (microseconds: what is finer is cut off) or kHighresEvent. Starts anew.
  explicit EventArrayBuilder(MetricType type = MetricType::kEvent) { Begin(type); }
  void Begin(MetricType type);

  // A record without parameters. `flags` as in PDU-171, without the missed flag.
  void AddRecord(Timestamp time, std::uint32_t flags);
  // So many records were missed before the next one (PDU-171). A HIGHRES_EVENT says only that
  // there were some, as PCP's agents do (PDU-172).
  void AddMissed(Timestamp time, std::int32_t count);

  // A parameter of the record added last. Opaque values are copied as they are, strings without NUL
  // (PDU-170). Not taken, and false, where there is no record, or it is one of missed records, or
  // the value is above kMaxBlockBody.
  bool AddParameter(Pmid pmid, const Value& value);

  // The body; nrecords 0 where no record was added (PDU-173). Holds until the next call.
  Bytes body() const { return body_; }

 private:
  static constexpr std::size_t kNoRecord = 0;

  void AddHeader(Timestamp time, std::uint32_t flags, std::int32_t count);

  bool highres_ = false;
  std::size_t nparams_ = kNoRecord;  // the place of the count of parameters, to be raised
  Buffer body_;
};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_EVENT_ARRAY_BUILDER_H_
