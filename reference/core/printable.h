// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_PRINTABLE_H_
#define PMPROOF_REFERENCE_CORE_PRINTABLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pmproof {

inline constexpr std::size_t kPrintableBytes = 80;

// Controls (C0, DEL, C1), characters that reverse the direction of writing, break a line or are not
// seen, U+FFFE, U+FFFF (ARC-002).
bool IsForeign(std::uint32_t code_point);

// The first character of a text that is not shown as it is.
struct ForeignCharacter {
  std::size_t at = 0;                         // the text's size: there is none
  std::size_t size = 0;                       // bytes
  std::optional<std::uint32_t> code_point{};  // nothing: a byte that is not part of UTF-8
};

// Names, labels and texts of an archive may hold any bytes (ARC-002). Everything that prints them
// escapes the same characters, each in the form of its format: foreign ones, and bytes that are not
// UTF-8.
ForeignCharacter FirstForeign(std::string_view text);

// The first of them that a text of several lines has no use for: no newline, no tabulator, and no
// byte that is not UTF-8.
ForeignCharacter FirstActing(std::string_view text);

// Bytes found in a file as they can be shown in a finding: one line of valid UTF-8 that does
// nothing to a terminal. The bytes of foreign characters become "\xNN", a backslash two. The result
// has at most `max` bytes; "..." follows them where the text was cut.
std::string Printable(std::string_view text, std::size_t max = kPrintableBytes);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_PRINTABLE_H_
