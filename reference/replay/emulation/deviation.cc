// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/emulation/deviation.h"

namespace pmproof::replay::emulation {

std::string ToText(Deviation deviation) {
  switch (deviation) {
    case Deviation::kTimesGoBack:
      return "INT-309";
    case Deviation::kSameTime:
      return "INT-310";
    case Deviation::kMarkAtSameTime:
      return "INT-704";
    case Deviation::kUnexplained:
      return "unexplained";
    case Deviation::kNone:
    case Deviation::kMarksUnseenInPlacing:
    case Deviation::kValueOfAMark:
    case Deviation::kStaleNextBound:
    case Deviation::kOpaqueOfBefore:
    case Deviation::kReleasedBuffer:
    case Deviation::kMarksOfOneRequest:
    case Deviation::kSuppressionByWhatIsMet:
    case Deviation::kWrapOf32:
    case Deviation::kSizeOfOpenVolume:
    case Deviation::kCountedError:
    case Deviation::kKeptBounds:
    case Deviation::kLivesInTheSearch:
    case Deviation::kRecordsOfOneTime:
    case Deviation::kIndexLeadsPast:
      break;
  }
  const auto number = static_cast<int>(deviation);
  return (number < 10 ? "DEV-0" : "DEV-") + std::to_string(number);
}

}  // namespace pmproof::replay::emulation
