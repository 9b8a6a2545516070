// SPDX-License-Identifier: Apache-2.0
#include "validator/text/json_stream.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

namespace pmproof::validator {
namespace {

using Json = nlohmann::json;

// Of a name in a message, or in what is kept of an object that is streamed.
constexpr std::size_t kMostName = 256;

// Where the parser is. It holds a token, and the blanks before it, until it is whole: where these
// are too long the document ends for it.
struct Position {
  const std::uint8_t* begin = nullptr;
  const std::uint8_t* at = nullptr;
  const std::uint8_t* end = nullptr;
  const std::uint8_t* bound = nullptr;  // of this token
  bool too_long = false;

  std::uint64_t offset() const { return static_cast<std::uint64_t>(at - begin); }
};

// An iterator over the document, all copies of which move together.
class Reading {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  explicit Reading(Position* position) : position_(position) {}

  char operator*() const { return static_cast<char>(*position_->at); }
  Reading& operator++() { return ++position_->at, *this; }
  Reading operator++(int) { return ++*this; }
  // The end is the one without a position.
  bool operator==(const Reading& other) const { return !(*this != other); }
  bool operator!=(const Reading&) const {
    if (position_->at == position_->end) return false;
    if (position_->at < position_->bound) return true;
    position_->too_long = true;
    return false;
  }

 private:
  Position* position_;
};

// Turns what the parser tells into what the consumer wants to know.
class Handler {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  Handler(Position* position, const std::string& name, JsonConsumer& consumer,
          const JsonLimits& limits)
      : position_(position), name_(name), consumer_(consumer), limits_(limits) {
    Arm();
  }

  const std::optional<Status>& error() const { return error_; }

  bool null() { return Scalar(nullptr, false); }
  bool boolean(bool value) { return Scalar(value, false); }
  // The parser has looked at the character after a number.
  bool number_integer(number_integer_t value) { return Scalar(value, true); }
  bool number_unsigned(number_unsigned_t value) { return Scalar(value, true); }
  bool number_float(number_float_t value, const string_t&) { return Scalar(value, true); }
  bool string(string_t& value) { return Scalar(std::move(value), false); }
  bool binary(binary_t&) { return Wrong("is binary"); }
  bool start_object(std::size_t) { return Start(false); }
  bool start_array(std::size_t) { return Start(true); }
  bool end_object() { return End(); }
  bool end_array() { return End(); }

  bool key(string_t& key) {
    Token(false);
    if (InValue()) {
      key_ = std::move(key);
      return !value_stack_.back()->contains(key_) || Twice(key_);
    }
    Level& level = levels_.back();
    if (key.size() > kMostName) return Wrong("has a member with too long a name");
    if (!level.keys.insert(key).second) return Twice(key);
    if (level.keys.size() > limits_.members) return Wrong("has too many members");
    level.key = std::move(key);
    return true;
  }

  template <typename Exception>
  bool parse_error(std::size_t, const std::string&, const Exception& exception) {
    if (position_->too_long) return Wrong("is longer than any value of such a document");
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while
    // parsing value - invalid literal; last read: 'x'"
    std::string why = exception.what();
    if (const std::size_t bracket = why.find("] "); bracket != std::string::npos) {
      why.erase(0, bracket + 2);
    }
    why.resize(std::min(why.find("; last read"), why.size()));
    error_ = Status{.file = name_, .offset = position_->offset(), .message = "is not JSON: " + why};
    return false;
  }

 private:
  struct Level {
    bool is_array = false;
    std::string pattern;
    std::string path;            // with the numbers of elements
    std::string key;             // of the member that is read
    std::uint64_t elements = 0;  // read so far
    std::set<std::string> keys;
  };

  bool InValue() const { return !value_stack_.empty(); }

  // The next token begins here.
  void Arm() {
    const auto left = static_cast<std::size_t>(position_->end - position_->at);
    position_->bound = position_->at + std::min(left, limits_.value + 1);
  }

  // Notes where the token that was read began and ended.
  void Token(bool looked_ahead) {
    const std::uint8_t* from = token_end_ == nullptr ? position_->begin : token_end_;
    constexpr std::string_view kBetween = " \t\r\n,:";
    while (from < position_->at && kBetween.find(static_cast<char>(*from)) != kBetween.npos) ++from;
    token_begin_ = static_cast<std::uint64_t>(from - position_->begin);
    token_end_ = position_->at;
    if (looked_ahead && position_->at < position_->end) --token_end_;
    Arm();
  }

  std::string Pattern() const { return Name(&Level::pattern, true); }
  std::string Path() const { return Name(&Level::path, false); }
  std::string Name(std::string Level::*of, bool any) const {
    if (levels_.empty()) return "";
    const Level& level = levels_.back();
    const std::string& parent = level.*of;
    if (level.is_array) return parent + (any ? "[]" : "[" + std::to_string(level.elements) + "]");
    return parent.empty() ? level.key : parent + "." + level.key;
  }

  bool WrongAt(std::uint64_t offset, const std::string& path, const std::string& what) {
    error_ = Status{.file = name_,
                    .offset = offset,
                    .message = (path.empty() ? "the document" : path) + ": " + what};
    return false;
  }
  bool Wrong(const std::string& what) {
    const bool in_object = !levels_.empty() && !levels_.back().is_array && !InValue();
    return WrongAt(token_begin_,
                   in_object && what.starts_with("has") ? levels_.back().path : Path(), what);
  }

  bool Twice(const std::string& key) {
    return Wrong("has the member " + key.substr(0, kMostName) + " twice");
  }

  bool Tell(const Json& value, std::uint64_t offset) {
    const std::string wrong = consumer_.OnValue(Pattern(), value, offset);
    if (!wrong.empty()) return WrongAt(offset, Path(), wrong);
    Next();
    return true;
  }

  void Next() {
    if (!levels_.empty() && levels_.back().is_array) ++levels_.back().elements;
  }

  bool Scalar(Json value, bool looked_ahead) {
    Token(looked_ahead);
    if (!InValue()) return Tell(value, token_begin_);
    if (TooLong()) return false;
    Insert(std::move(value));
    return true;
  }

  bool TooLong() {
    if (position_->offset() - value_begin_ <= limits_.value) return false;
    WrongAt(value_begin_, Path(), "is longer than any value of such a document");
    return true;
  }

  Json* Insert(Json value) {
    Json& parent = *value_stack_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }

  bool Start(bool is_array) {
    Token(false);
    if (static_cast<int>(levels_.size() + value_stack_.size()) >= limits_.depth) {
      return Wrong("is deeper than any value of such a document");
    }
    if (InValue()) {
      if (TooLong()) return false;
      value_stack_.push_back(Insert(is_array ? Json::array() : Json::object()));
      return true;
    }
    const std::string pattern = Pattern();
    if (consumer_.IsStreamed(pattern, is_array)) {
      const std::string wrong = consumer_.OnBegin(pattern, token_begin_);
      if (!wrong.empty()) return Wrong(wrong);
      levels_.push_back({is_array, pattern, Path(), "", 0, {}});
      return true;
    }
    value_ = is_array ? Json::array() : Json::object();
    value_begin_ = token_begin_;
    value_stack_.push_back(&value_);
    return true;
  }

  bool End() {
    Token(false);
    if (InValue()) {
      if (TooLong()) return false;
      value_stack_.pop_back();
      return InValue() || Tell(value_, value_begin_);
    }
    const std::string wrong = consumer_.OnEnd(levels_.back().pattern, token_begin_);
    if (!wrong.empty()) return WrongAt(token_begin_, levels_.back().path, wrong);
    levels_.pop_back();
    Next();
    return true;
  }

  Position* position_;
  const std::string& name_;
  JsonConsumer& consumer_;
  const JsonLimits& limits_;
  std::vector<Level> levels_;  // of what is streamed
  Json value_;                 // of what is not, as far as it was read
  std::vector<Json*> value_stack_;
  std::string key_;
  std::uint64_t value_begin_ = 0;
  std::uint64_t token_begin_ = 0;
  const std::uint8_t* token_end_ = nullptr;
  std::optional<Status> error_;
};

}  // namespace

std::optional<Status> ReadJson(Bytes document, const std::string& name, JsonConsumer& consumer,
                               const JsonLimits& limits) {
  Position position;
  position.begin = position.at = document.data();
  position.end = document.data() + document.size();
  Handler handler(&position, name, consumer, limits);
  const bool whole = Json::sax_parse(Reading(&position), Reading(&position), &handler);
  if (!whole && !handler.error()) return Status{.file = name, .message = "is not JSON"};
  return handler.error();
}

}  // namespace pmproof::validator
