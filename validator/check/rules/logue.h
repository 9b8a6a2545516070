// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_LOGUE_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_LOGUE_H_

#include <cstdint>
#include <optional>

#include "reference/core/bytes.h"

namespace pmproof::validator {

// A prologue or epilogue (ARC-590, ARC-594): the logger's own record at the beginning or end of an
// archive, with the identity of PMCD if that is there.
struct Logue {
  std::optional<std::uint64_t> pmcd_pid;
  std::optional<std::uint32_t> seqnum;
};

// True of the numbers of value sets that a prologue or epilogue can have.
inline bool MayBeLogue(std::uint32_t set_count) { return set_count == 5 || set_count == 3; }

// What ARC-594 recognises; nothing if it is another record, or one whose sets do not lie in it.
// `record` is a whole data record, at least as long as a mark.
std::optional<Logue> RecogniseLogue(Bytes record, int version);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_LOGUE_H_
