// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_RELATIVE_TIME_H_
#define PMPROOF_REFERENCE_REPLAY_RELATIVE_TIME_H_

#include <cfloat>
#include <cstdint>

#include "reference/core/timestamp.h"

namespace pmproof::replay {

// Nanoseconds from `from` to `to`, exactly, whatever the times are.
__extension__ using WideNanoseconds = __int128;
inline WideNanoseconds ExactlyBetween(Timestamp from, Timestamp to) {
  return (WideNanoseconds{to.seconds} - WideNanoseconds{from.seconds}) * 1'000'000'000 +
         (WideNanoseconds{to.nanoseconds} - WideNanoseconds{from.nanoseconds});
}

// Seconds since the start of an archive, as replay compares them (INT-201). A value.
class Origin {
 public:
  Origin() = default;
  // `start`: of the label, of a set that of its earliest member.
  explicit Origin(Timestamp start) : start_(start) {}

  Timestamp start() const { return start_; }

  // INT-201: two roundings to 64 bits, then one to 53. Seconds and nanoseconds are subtracted each
  // by itself; they need not be normalised.
  double Relative(Timestamp time) const {
    static_assert(LDBL_MANT_DIG == 64, "INT-201 asks for the extended format of the x87");
    const auto seconds = static_cast<long double>(static_cast<std::int64_t>(
        static_cast<std::uint64_t>(time.seconds) - static_cast<std::uint64_t>(start_.seconds)));
    const auto nanoseconds =
        static_cast<long double>(std::int64_t{time.nanoseconds} - std::int64_t{start_.nanoseconds});
    return static_cast<double>(seconds + nanoseconds / 1'000'000'000.0L);
  }

 private:
  Timestamp start_;
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_RELATIVE_TIME_H_
