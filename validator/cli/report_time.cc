// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/report_time.h"

#include <chrono>
#include <cstdlib>

#include "validator/cli/options.h"

namespace pmproof::validator {

Timestamp Now() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return Timestamp{} + std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count();
}

std::optional<Timestamp> TimeOfDocument(Timestamp now) {
  const char* const epoch = std::getenv("SOURCE_DATE_EPOCH");
  if (epoch == nullptr) return now;
  constexpr std::uint64_t kMost = 253402300799;  // the end of the year 9999
  std::uint64_t seconds = 0;
  if (!TakeUnsigned(epoch, 0, kMost, &seconds).empty()) return std::nullopt;
  return Timestamp{static_cast<std::int64_t>(seconds), 0};
}

Timestamp TimeOfPage() {
  const Timestamp now = Now();
  return TimeOfDocument(now).value_or(now);
}

}  // namespace pmproof::validator
