// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_JSON_TEXT_H_
#define PMPROOF_GENERATORS_JSON_TEXT_H_

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "reference/archive/output_storage.h"
#include "reference/core/bytes.h"
#include "reference/core/status.h"

namespace pmproof::generators {

// JSON on its way to a file, in large pieces: punctuation is the caller's. All of it is ASCII. Once
// the file could not be written, nothing more is, and status() says why.
class JsonText {
 public:
  // `file` outlives this.
  explicit JsonText(archive::OutputFile& file) : file_(file) {}

  // Text as it stands.
  JsonText& operator<<(std::string_view text) {
    if (text.size() > kSize) [[unlikely]] {
      Flush();
      Write(AsBytes(text));
      return *this;
    }
    std::memcpy(Room(text.size()), text.data(), text.size());
    size_ += text.size();
    return *this;
  }

  JsonText& operator<<(char c) {
    *Room(1) = c;
    ++size_;
    return *this;
  }

  template <std::integral Number>
  requires(!std::same_as<Number, char> && !std::same_as<Number, bool>) JsonText& operator<<(
      Number number) {
    return Digits(number);
  }

  // The shortest text that reads back to the same bits; nan (whatever its bits are), inf, -inf.
  template <std::floating_point Number>
  JsonText& operator<<(Number number) {
    return std::isnan(number) ? *this << std::string_view("nan") : Digits(number);
  }

  // A string in quotes. What is not UTF-8, and what begins with "base64:" itself, is written as
  // "base64:..." of all its bytes, so that every string of bytes can be told from every other.
  JsonText& Quote(std::string_view bytes);

  // "base64:..." in quotes.
  JsonText& Base64(std::string_view bytes);

  void Flush();

  const std::optional<Status>& status() const { return status_; }

 private:
  static constexpr std::size_t kSize = std::size_t{256} << 10;
  static constexpr std::size_t kNumberRoom = 40;

  template <typename Number>
  JsonText& Digits(Number number) {
    char* to = Room(kNumberRoom);
    size_ += static_cast<std::size_t>(std::to_chars(to, to + kNumberRoom, number).ptr - to);
    return *this;
  }

  // Where `size` bytes can be written, at most kSize; size_ is to be moved by those that were.
  char* Room(std::size_t size) {
    if (kSize - size_ < size) [[unlikely]]
      Flush();
    return text_.get() + size_;
  }

  void Write(Bytes bytes);
  void Escape(std::uint32_t code_unit);

  archive::OutputFile& file_;
  std::optional<Status> status_;
  std::unique_ptr<char[]> text_ = std::make_unique<char[]>(kSize);
  std::size_t size_ = 0;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_JSON_TEXT_H_
