// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/replay/octets.h"

#include <algorithm>
#include <charconv>

namespace pmproof::validator::agent {
namespace {

constexpr std::size_t kShortestRun = 32;
constexpr std::string_view kDigits = "0123456789abcdef";

std::optional<std::uint8_t> ParseOctet(std::string_view digits) {
  std::uint8_t octet = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), octet, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return octet;
}

bool AppendWord(std::string_view word, std::size_t most, std::vector<std::uint8_t>* bytes) {
  const std::size_t star = word.find('*');
  if (star != std::string_view::npos) {
    const auto octet = star == 2 ? ParseOctet(word.substr(0, 2)) : std::nullopt;
    const std::string_view times = word.substr(star + 1);
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(times.data(), times.data() + times.size(), count);
    if (!octet || error != std::errc() || end != times.data() + times.size()) return false;
    if (count > most - bytes->size()) return false;
    bytes->insert(bytes->end(), count, *octet);
    return true;
  }
  if (word.size() % 2 != 0 || word.size() / 2 > most - bytes->size()) return false;
  for (std::size_t at = 0; at < word.size(); at += 2) {
    const auto octet = ParseOctet(word.substr(at, 2));
    if (!octet) return false;
    bytes->push_back(*octet);
  }
  return true;
}

}  // namespace

std::string OctetsText(Bytes bytes) {
  std::string text;
  std::size_t in_word = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::uint8_t octet = bytes[at];
    const auto run = static_cast<std::size_t>(
        std::find_if(bytes.begin() + at, bytes.end(), [&](std::uint8_t b) { return b != octet; }) -
        (bytes.begin() + at));
    if (run >= kShortestRun) {
      text += (text.empty() ? "" : " ") + std::string{kDigits[octet >> 4], kDigits[octet & 15]} +
              "*" + std::to_string(run);
      at += run;
      in_word = 4;
      continue;
    }
    for (std::size_t i = 0; i < run; ++i, ++at) {
      if (in_word == 4) {
        text += ' ';
        in_word = 0;
      }
      text += {kDigits[octet >> 4], kDigits[octet & 15]};
      ++in_word;
    }
  }
  return text;
}

std::optional<std::vector<std::uint8_t>> ParseOctets(std::string_view text, std::size_t most) {
  std::vector<std::uint8_t> bytes;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    if (!AppendWord(text.substr(0, blank), most, &bytes)) return std::nullopt;
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return bytes;
}

}  // namespace pmproof::validator::agent
