// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_TEXT_BUFFER_H_
#define PMPROOF_VALIDATOR_TEXT_TEXT_BUFFER_H_

#include <bit>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "reference/core/bytes.h"
#include "validator/text/quote.h"

namespace pmproof::validator {

// Text on its way to a stream, in large pieces: dumps write gigabytes a second. The stream knows
// whether writing failed.
class TextBuffer {
 public:
  explicit TextBuffer(std::ostream& stream) : stream_(stream) {}
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;
  ~TextBuffer() { Flush(); }

  // False as soon as it is known that the stream takes no more.
  bool good() const { return stream_.good(); }

  TextBuffer& operator<<(std::string_view text) {
    if (text.size() > kSize) [[unlikely]] {
      Flush();
      stream_.write(text.data(), static_cast<std::streamsize>(text.size()));
      return *this;
    }
    char* to = Room(text.size());
    std::memcpy(to, text.data(), text.size());
    at_ += text.size();
    return *this;
  }

  // Lines of a text, after which kSlack bytes can be read, and a number: most of a dump is that.
  // They are put after each other from Begin() on, which gives nothing if there is no room for
  // `most` bytes at all, and taken over by End(). Meanwhile the position is the caller's, in a
  // register.
  static constexpr std::size_t kSlack = 128;
  static constexpr std::size_t kMostLine(std::size_t text) { return text + kNumberRoom + kSlack; }
  char* Begin(std::size_t most) { return most > kSize ? nullptr : Room(most); }
  template <std::integral Number>
  static char* PutLine(char* to, const char* text, std::size_t size, Number number) {
    if (size <= kSlack / 2) [[likely]] {  // copies of a fixed size need no call
      std::memcpy(to, text, kSlack / 2);
    } else if (size <= kSlack) {
      std::memcpy(to, text, kSlack);
    } else {
      std::memcpy(to, text, size);
    }
    to += size;
    return to + WriteInteger(number, to);
  }
  void End(const char* to) { at_ = static_cast<std::size_t>(to - text_.get()); }

  TextBuffer& operator<<(char c) {
    *Room(1) = c;
    ++at_;
    return *this;
  }

  template <std::integral Number>
  requires(!std::same_as<Number, char>) TextBuffer& operator<<(Number number) {
    at_ += WriteInteger(number, Room(kNumberRoom));
    return *this;
  }

  // The shortest text that reads back to the same number.
  template <std::floating_point Number>
  TextBuffer& operator<<(Number number) {
    static constexpr std::size_t kMost = 40;
    char* to = Room(kMost);
    at_ += static_cast<std::size_t>(std::to_chars(to, to + kMost, number).ptr - to);
    return *this;
  }

  // As JSON has strings (AppendQuoted).
  void Quote(std::string_view bytes) {
    quoted_.clear();
    AppendQuoted(bytes, Quoting::kJson, &quoted_);
    *this << quoted_;
  }

  void Hex(Bytes bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    for (const std::uint8_t byte : bytes) {
      char* to = Room(2);
      to[0] = kDigits[byte >> 4];
      to[1] = kDigits[byte & 15];
      at_ += 2;
    }
  }

  void Flush() {
    stream_.write(text_.get(), static_cast<std::streamsize>(at_));
    at_ = 0;
  }

 private:
  static constexpr std::size_t kSize = std::size_t{256} << 10;
  static constexpr std::size_t kMostDigits = 20;
  static constexpr std::size_t kNumberRoom =
      1 + kMostDigits + 7;  // sign, digits, what WriteDecimal spills

  template <std::integral Number>
  static std::size_t WriteInteger(Number number, char* to) {
    const auto magnitude = static_cast<std::uint64_t>(number);
    if (number >= 0) return WriteDecimal(magnitude, to);
    *to = '-';
    return 1 + WriteDecimal(0 - magnitude, to + 1);
  }

  // Writes the digits of `number` and returns how many; up to seven bytes after them are written
  // too. Eight digits at a time without a loop: std::to_chars takes three times as long, which was
  // most of what a dump did.
  static std::size_t WriteDecimal(std::uint64_t number, char* to) {
    static constexpr std::uint64_t kEight = 100'000'000;
    if constexpr (std::endian::native != std::endian::little) {
      return static_cast<std::size_t>(std::to_chars(to, to + kMostDigits, number).ptr - to);
    }
    const std::size_t size = DigitsOf(number);
    if (number < kEight) {
      Store(EightDigits(number) >> (8 * (8 - size)), to);
      return size;
    }
    const std::uint64_t low = number % kEight;
    std::uint64_t high = number / kEight;
    if (high >= kEight) {
      Store(EightDigits(high / kEight) >> (8 * (24 - size)), to);
      Store(EightDigits(high % kEight), to + size - 16);
    } else {
      Store(EightDigits(high) >> (8 * (16 - size)), to);
    }
    Store(EightDigits(low), to + size - 8);
    return size;
  }

  static void Store(std::uint64_t digits, char* to) { std::memcpy(to, &digits, sizeof digits); }

  // The eight digits of a number below 10^8, the first one in the lowest byte: halves, then pairs,
  // then digits are split off in all lanes of the word at once, by multiplication with the
  // reciprocal.
  static std::uint64_t EightDigits(std::uint64_t number) {
    const std::uint64_t fours = number / 10000 | (number % 10000) << 32;
    const std::uint64_t tops = (fours * 10486 >> 20) & 0x7f0000007fULL;
    const std::uint64_t pairs = tops | (fours - 100 * tops) << 16;
    const std::uint64_t tens = (pairs * 103 >> 10) & 0x000f000f000f000fULL;
    return (tens | (pairs - 10 * tens) << 8) + 0x3030303030303030ULL;
  }

  // log10(2) is about 1233 / 4096.
  static std::size_t DigitsOf(std::uint64_t number) {
    static constexpr std::uint64_t kPowers[kMostDigits] = {1,
                                                           10,
                                                           100,
                                                           1000,
                                                           10000,
                                                           100000,
                                                           1000000,
                                                           10000000,
                                                           100000000,
                                                           1000000000,
                                                           10000000000,
                                                           100000000000,
                                                           1000000000000,
                                                           10000000000000,
                                                           100000000000000,
                                                           1000000000000000,
                                                           10000000000000000,
                                                           100000000000000000,
                                                           1000000000000000000,
                                                           10000000000000000000U};
    const auto guess = static_cast<std::size_t>(std::bit_width(number | 1) * 1233 >> 12);
    return guess + ((number | 1) >= kPowers[guess] ? 1 : 0);
  }

  // Where `size` bytes can be written; at_ is to be moved by those that were.
  char* Room(std::size_t size) {
    if (kSize - at_ < size) [[unlikely]]
      Flush();
    return text_.get() + at_;
  }

  std::ostream& stream_;
  std::unique_ptr<char[]> text_ = std::make_unique<char[]>(kSize);
  std::size_t at_ = 0;
  std::string quoted_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_TEXT_BUFFER_H_
