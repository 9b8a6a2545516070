// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_ERROR_CODE_H_
#define PMPROOF_REFERENCE_CORE_ERROR_CODE_H_

#include <cstdint>
#include <string>

namespace pmproof {

// PCP's error codes -(12345 + n) as they occur on disk and as the result of opening and reading
// (ARC-019, MET-1101 section 11). Other numbers occur: the enumeration is open.
enum class ErrorCode : std::int32_t {
  kOk = 0,
  kNoEntry = -2,  // -ENOENT
  kGeneric = -12345,
  kValue = -12351,
  kNoData = -12354,
  kName = -12357,
  kPmid = -12358,
  kIndom = -12359,
  kInstance = -12360,
  kUnit = -12361,
  kConversion = -12362,
  kTruncation = -12363,
  kSign = -12364,
  kEndOfLog = -12370,
  kLabel = -12372,
  kLogRecord = -12373,
  kLogFile = -12375,
  kNoContext = -12376,
  kIndomLog = -12379,
  kInstanceLog = -12380,
  kAgain = -12389,
  kNonLeaf = -12394,
  kType = -12397,
  kLogOverlap = -12401,
  kLogHost = -12402,
  kLogChangeType = -12404,
  kLogChangeSemantics = -12405,
  kLogChangeIndom = -12406,
  kLogChangeUnits = -12407,
  kNoLabels = -12410,
  kRecordType = -12412,
  kFeature = -12413,
};

// "PM_ERR_LOGREC" for a code of PCP (MET-1102), "errno 32" for a negated errno number, "code N"
// otherwise.
std::string ToText(ErrorCode code);

// True for the codes of ARC-019 and for negated errno numbers -1..-200 (rule ARC-1715). Retired
// codes and those of PCP 1.x (-1000..-1048) are not known.
bool IsKnown(ErrorCode code);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_ERROR_CODE_H_
