// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_TESTING_ROUND_TRIP_H_
#define PMPROOF_REFERENCE_PMDA_PDU_TESTING_ROUND_TRIP_H_

#include <array>
#include <cstddef>

#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/pdu/result_builder.h"

namespace pmproof::pdu {

// A fetch of ten metrics from a collector to an agent and back, in memory: FETCH is encoded, cut
// out of the stream and decoded, then RESULT. Half of the values are in situ, the others DOUBLE.
class RoundTrip {
 public:
  static constexpr std::size_t kMetrics = 10;

  RoundTrip();

  // The number of values that came back; 0 if anything was refused.
  std::size_t Run();

 private:
  struct End {
    Buffer out;
    FrameReader frames;
    Decoder decoder;
  };

  bool Answer(const Fetch& fetch);

  std::array<Pmid, kMetrics> pmids_;
  End collector_;
  End agent_;
  ResultBuilder builder_;
};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_TESTING_ROUND_TRIP_H_
