// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_EVENT_SUMMARY_H_
#define PMPROOF_REFERENCE_CORE_EVENT_SUMMARY_H_

#include <cstdint>

#include "reference/core/bytes.h"
#include "reference/core/print_value.h"

namespace pmproof {

// What PCP shows of an event array (MET-505), the times `zone` seconds east of UTC.
EventSummary SummaryOf(Bytes payload, bool highres, std::int64_t zone = 0);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_EVENT_SUMMARY_H_
