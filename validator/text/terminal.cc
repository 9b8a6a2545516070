// SPDX-License-Identifier: Apache-2.0
#include "validator/text/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace pmproof::validator {
namespace {

constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kWidest = 140;  // longer lines read badly

bool IsSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

const char* SequenceOf(Style style) {
  switch (style) {
    case Style::kPlain:
      return "";
    case Style::kBold:
      return "\033[1m";
    case Style::kDim:
      return "\033[2m";
    case Style::kRed:
      return "\033[31m";
    case Style::kYellow:
      return "\033[33m";
    case Style::kGreen:
      return "\033[32m";
    case Style::kCyan:
      return "\033[36m";
    case Style::kRedBold:
      return "\033[1;31m";
  }
  return "";
}

}  // namespace

Screen ScreenOf(int file_descriptor, When colour) {
  Screen screen;
  screen.terminal = isatty(file_descriptor) == 1;
  winsize size{};
  if (screen.terminal && ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    screen.width = std::clamp<std::size_t>(size.ws_col, kNarrowest, kWidest);
  }
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  screen.colour = colour == When::kAlways ||
                  (colour == When::kAuto && screen.terminal && !dumb && !IsSet("NO_COLOR"));
  return screen;
}

std::string Styled(const Screen& screen, Style style, std::string_view text) {
  if (!screen.colour || style == Style::kPlain || text.empty()) return std::string(text);
  return SequenceOf(style) + std::string(text) + "\033[0m";
}

}  // namespace pmproof::validator
