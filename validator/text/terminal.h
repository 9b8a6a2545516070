// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_TERMINAL_H_
#define PMPROOF_VALIDATOR_TEXT_TERMINAL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pmproof::validator {

// --color and --progress.
enum class When : std::uint8_t { kAuto, kAlways, kNever };

// What a stream that people read can show.
struct Screen {
  bool terminal = false;
  bool colour = false;
  std::size_t width = 100;  // columns; of what is not a terminal: 100
};

// Looks at a file descriptor. NO_COLOR (set and not empty) and TERM=dumb count for kAuto.
Screen ScreenOf(int file_descriptor, When colour);

enum class Style : std::uint8_t { kPlain, kBold, kDim, kRed, kYellow, kGreen, kCyan, kRedBold };

// `text` between the escape sequences of a style, or as it is where the screen has no colour. The
// text itself must be Displayable().
std::string Styled(const Screen& screen, Style style, std::string_view text);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_TERMINAL_H_
