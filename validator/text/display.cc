// SPDX-License-Identifier: Apache-2.0
#include "validator/text/display.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "reference/core/printable.h"

namespace pmproof::validator {
namespace {

template <typename... Values>
void AppendFormatted(std::string& text, const char* format, Values... values) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, values...);
  text += buffer.data();
}

}  // namespace

std::string Displayable(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const ForeignCharacter foreign = FirstForeign(bytes);
    text += bytes.substr(0, foreign.at);
    if (foreign.at == bytes.size()) break;
    if (!foreign.code_point) {
      const auto byte = static_cast<std::uint8_t>(bytes[foreign.at]);
      AppendFormatted(text, "\\x%02x", static_cast<unsigned>(byte));
    } else if (*foreign.code_point == '\n') {
      text += "\\n";
    } else if (*foreign.code_point == '\t') {
      text += "\\t";
    } else if (*foreign.code_point == '\r') {
      text += "\\r";
    } else {
      AppendFormatted(text, *foreign.code_point < 0x80 ? "\\x%02x" : "\\u%04x",
                      static_cast<unsigned>(*foreign.code_point));
    }
    bytes.remove_prefix(foreign.at + foreign.size);
  }
  return text;
}

std::string Markup(std::string_view bytes) {
  std::string text;
  for (const char c : Displayable(bytes)) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      case '"':
        text += "&quot;";
        break;
      case '\'':
        text += "&#39;";
        break;
      default:
        text += c;
    }
  }
  return text;
}

std::string PathToUri(std::string_view path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  while (path.starts_with("./")) path.remove_prefix(2);
  for (const char c : path) {
    const bool unreserved = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                            (c >= '0' && c <= '9') ||
                            std::string_view("-._~/").find(c) != std::string_view::npos;
    if (unreserved) {
      uri += c;
    } else {
      AppendFormatted(uri, "%%%02X", static_cast<unsigned>(static_cast<std::uint8_t>(c)));
    }
  }
  return uri;
}

std::size_t Columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<std::uint8_t>(c) & 0xc0) != 0x80;
  }));
}

std::string Wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string wrapped;
  std::size_t column = indent;  // the caller has written as much before the first line
  bool at_start = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (!word.empty()) {
      const std::size_t columns = Columns(word);
      if (!at_start && column + 1 + columns > width) {
        wrapped += '\n' + std::string(indent, ' ');
        column = indent;
        at_start = true;
      }
      if (!at_start) {
        wrapped += ' ';
        ++column;
      }
      wrapped += word;
      column += columns;
      at_start = false;
    }
    if (end < text.size() && text[end] == '\n') {
      wrapped += '\n' + std::string(indent, ' ');
      column = indent;
      at_start = true;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrapped;
}

std::string Plural(std::uint64_t count, std::string_view singular) {
  std::string text = std::to_string(count) + " ";
  text += singular;
  if (count != 1) text += 's';
  return text;
}

std::string ByteSize(std::uint64_t bytes) {
  if (bytes < 1000) return Plural(bytes, "byte");
  double size = static_cast<double>(bytes);
  const char* unit = "";
  for (const char* next : {"kB", "MB", "GB", "TB", "PB", "EB"}) {
    if (size < 999.95) break;
    size /= 1000;
    unit = next;
  }
  std::string text;
  AppendFormatted(text, "%.1f %s", size, unit);
  return text;
}

}  // namespace pmproof::validator
