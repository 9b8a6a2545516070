// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_TIME_FORMAT_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_TIME_FORMAT_H_

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "validator/tool_output/scan.h"
#include "validator/tool_output/stamp.h"

// Times as pmrep -f writes them (OUT-714, OUT-723).

namespace pmproof::validator::tool_output {

// A format of strftime that says a time to the second, of which the day may be missing: of %Y %m %d
// %e %b %a %H %M %S %f %s, what stands for several of them (%F %T %c) and other characters. A
// value.
class TimeFormat {
 public:
  // An error says what of the format is not read.
  static tl::expected<TimeFormat, std::string> Parse(std::string_view format);

  // Takes a time off the front, or nothing if there is none.
  std::optional<Stamp> Take(Scan* scan) const;

 private:
  std::string format_;  // single conversions alone
};

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_TIME_FORMAT_H_
