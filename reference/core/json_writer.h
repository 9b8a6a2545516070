// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_JSON_WRITER_H_
#define PMPROOF_REFERENCE_CORE_JSON_WRITER_H_

#include <concepts>
#include <cstdint>
#include <string_view>

namespace pmproof {

// Where JSON goes. `<<` takes text as it stands, characters and numbers; Quote() writes any bytes
// as a string, in the quotes and escapes of the format that is written.
template <typename Sink>
concept JsonSink = requires(Sink& sink, std::string_view text, std::uint64_t number) {
  sink << text;
  sink << ',';
  sink << number;
  sink.Quote(text);
};

// JSON as it comes, without a tree: values, members and the ends of objects and arrays in the order
// of the calls. The writer puts commas, colons and blanks; that every object and array is ended is
// the caller's. At most 63 of them are open at a time.
template <JsonSink Sink>
class JsonWriter {
 public:
  enum class Blanks : bool { kNone, kAfterPunctuation };

  // `sink` outlives this.
  explicit JsonWriter(Sink& sink, Blanks blanks = Blanks::kNone)
      : sink_(sink), has_blanks_(blanks == Blanks::kAfterPunctuation) {}

  JsonWriter& Object() { return Begin('{'); }
  JsonWriter& EndObject() { return End('}'); }
  JsonWriter& Array() { return Begin('['); }
  JsonWriter& EndArray() { return End(']'); }

  // The key of the value that comes next. It is ASCII without quotes and backslashes.
  JsonWriter& Key(std::string_view key) {
    Separate();
    sink_ << '"';
    sink_ << key;
    sink_ << (has_blanks_ ? std::string_view("\": ") : std::string_view("\":"));
    is_member_ = true;
    return *this;
  }

  JsonWriter& String(std::string_view bytes) {
    Separate();
    sink_.Quote(bytes);
    return *this;
  }
  // A number, or text that needs no escapes, as a string.
  template <typename Value>
  JsonWriter& InQuotes(const Value& value) {
    Separate();
    sink_ << '"';
    sink_ << value;
    sink_ << '"';
    return *this;
  }

  template <std::integral Integer>
  requires(!std::same_as<Integer, bool> &&
           !std::same_as<Integer, char>) JsonWriter& Number(Integer number) {
    Separate();
    sink_ << number;
    return *this;
  }
  JsonWriter& Null() { return Raw("null"); }
  JsonWriter& True() { return Raw("true"); }

  // A value that is JSON already; or its beginning, where the caller writes the rest.
  JsonWriter& Raw(std::string_view json) {
    Separate();
    sink_ << json;
    return *this;
  }

  // What comes next stands on a line of its own.
  JsonWriter& Break() {
    breaks_ = true;
    return *this;
  }
  // Ends a document that is one line.
  JsonWriter& EndLine() {
    sink_ << '\n';
    filled_ = 0;
    return *this;
  }

 private:
  JsonWriter& Begin(char bracket) {
    Separate();
    sink_ << bracket;
    filled_ <<= 1;
    return *this;
  }

  JsonWriter& End(char bracket) {
    filled_ >>= 1;
    if (breaks_) Line();
    sink_ << bracket;
    return *this;
  }

  void Separate() {
    if (is_member_) {
      is_member_ = false;
      return;
    }
    if ((filled_ & 1) != 0) {
      sink_ << ',';
      if (has_blanks_) sink_ << ' ';
    }
    filled_ |= 1;
    if (breaks_) [[unlikely]]
      Line();
  }

  void Line() {
    sink_ << '\n';
    breaks_ = false;
  }

  Sink& sink_;
  bool has_blanks_;
  std::uint64_t filled_ = 0;  // bit 0: the innermost object or array has a value
  bool is_member_ = false;    // a key has been written, and its value has not
  bool breaks_ = false;
};

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_JSON_WRITER_H_
