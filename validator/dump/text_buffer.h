#ifndef PMPROOF_VALIDATOR_DUMP_TEXT_BUFFER_H_
#define PMPROOF_VALIDATOR_DUMP_TEXT_BUFFER_H_

#include <charconv>
#include <concepts>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "reference/core/bytes.h"

namespace pmproof::validator {

// Text on its way to a stream, in large pieces: dumps write hundreds of megabytes a second.
// The stream knows whether writing failed.
class TextBuffer {
 public:
  explicit TextBuffer(std::ostream& stream) : stream_(stream) { text_.reserve(kSize + kSize / 4); }
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;
  ~TextBuffer() { Flush(); }

  TextBuffer& operator<<(std::string_view text) {
    text_.append(text);
    if (text_.size() >= kSize) [[unlikely]] Flush();
    return *this;
  }
  TextBuffer& operator<<(char c) {
    text_.push_back(c);
    return *this;
  }
  template <typename Number>
    requires(std::integral<Number> || std::floating_point<Number>) && (!std::same_as<Number, char>)
  TextBuffer& operator<<(Number number) {
    char digits[40];
    const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, number);
    return *this << std::string_view(digits, static_cast<std::size_t>(end.ptr - digits));
  }

  void Hex(Bytes bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    for (const std::uint8_t byte : bytes) {
      text_.push_back(kDigits[byte >> 4]);
      text_.push_back(kDigits[byte & 15]);
      if (text_.size() >= kSize) [[unlikely]] Flush();
    }
  }

  void Flush() {
    stream_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }


 private:
  static constexpr std::size_t kSize = std::size_t{256} << 10;

  std::ostream& stream_;
  std::string text_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DUMP_TEXT_BUFFER_H_
