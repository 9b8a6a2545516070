// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_PRINTABLE_H_
#define PMPROOF_REFERENCE_CORE_PRINTABLE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace pmproof {

inline constexpr std::size_t kPrintableBytes = 80;

// Bytes found in a file as they can be shown in a finding: one line of valid UTF-8 that does
// nothing to a terminal. Control characters (C0, DEL, C1) and bytes that are not UTF-8 become
// "\xNN", a backslash two; other characters above 0x7f stay (ARC-002). The result has at most `max`
// bytes; "..." follows them where the text was cut.
std::string Printable(std::string_view text, std::size_t max = kPrintableBytes);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_PRINTABLE_H_
