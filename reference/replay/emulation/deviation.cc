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

std::vector<Deviation> MendableDeviations(PcpVersion version) {
  std::vector<Deviation> all = {
      Deviation::kMarksUnseenInPlacing, Deviation::kValueOfAMark,
      Deviation::kStaleNextBound,       Deviation::kOpaqueOfBefore,
      Deviation::kMarksOfOneRequest,    Deviation::kSuppressionByWhatIsMet,
      Deviation::kSizeOfOpenVolume,     Deviation::kCountedError,
      Deviation::kKeptBounds,           Deviation::kLivesInTheSearch,
      Deviation::kRecordsOfOneTime,     Deviation::kIndexLeadsPast,
  };
  // Where the earlier value is always taken, the next bound decides nothing.
  if (version == PcpVersion::k6_0_3) std::erase(all, Deviation::kStaleNextBound);
  return all;
}

std::optional<Deviation> ParseMendable(std::string_view text) {
  for (const Deviation deviation : MendableDeviations(PcpVersion::k7_2)) {
    if (text == ToText(deviation)) return deviation;
  }
  return std::nullopt;
}

}  // namespace pmproof::replay::emulation
