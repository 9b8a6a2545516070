#include "reference/archive/label_json.h"

#include <algorithm>

#include "reference/core/utf8.h"

namespace pmproof::archive {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// A recursive descent; its depth is bounded by kMaxJsonDepth.
class Scanner {
 public:
  Scanner(std::string_view json, std::span<JsonLabel> labels) : json_(json), labels_(labels) {}

  JsonScan Scan() {
    SkipBlanks();
    if (Peek() != '{') {
      Fail("the text is not a JSON object");
    } else if (Object(1, nullptr)) {
      SkipBlanks();
      if (at_ < json_.size()) Fail("text follows the JSON object");
    }
    return scan_;
  }

 private:
  // NUL at the end: no text that is scanned has one outside strings.
  char Peek() const { return at_ < json_.size() ? json_[at_] : '\0'; }

  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  bool Fail(const char* message) {
    scan_.error = {at_, message};
    return false;
  }

  void SkipBlanks() {
    while (at_ < json_.size() &&
           std::string_view(" \t\n\r").find(json_[at_]) != std::string_view::npos) {
      if (!scan_.blank) scan_.blank = at_;
      ++at_;
    }
  }

  void Add(const JsonLabel& label) {
    if (scan_.count < labels_.size()) labels_[scan_.count] = label;
    ++scan_.count;
  }

  // `outer` is the outermost name above this object, nothing for the text's own object.
  bool Object(std::uint32_t depth, const JsonLabel* outer) {
    if (depth > kMaxJsonDepth) return Fail("the JSON is nested too deeply");
    ++at_;
    SkipBlanks();
    if (Take('}')) return true;
    do {
      SkipBlanks();
      if (!Member(depth, outer)) return false;
      SkipBlanks();
    } while (Take(','));
    return Take('}') || Fail("a comma or } is missing in an object");
  }

  bool Member(std::uint32_t depth, const JsonLabel* outer) {
    JsonLabel label;
    label.depth = names_above_ + 1;
    const std::size_t name = at_ + 1;
    if (Peek() != '"') return Fail("a name in quotes is missing in an object");
    if (!String()) return false;
    label.name_offset = static_cast<std::uint32_t>(name);
    label.name_length = static_cast<std::uint32_t>(at_ - 1 - name);
    if (outer != nullptr) {
      label.outer_offset = outer->name_offset;
      label.outer_length = outer->name_length;
    }
    SkipBlanks();
    if (!Take(':')) return Fail("a colon is missing behind a name");
    SkipBlanks();
    const std::size_t value = at_;
    const std::size_t labels_before = scan_.count;
    ++names_above_;
    const bool ok = Value(depth, outer == nullptr ? &label : outer);
    --names_above_;
    if (!ok) return false;
    if (scan_.count == labels_before) {
      label.value_offset = static_cast<std::uint32_t>(value);
      label.value_length = static_cast<std::uint32_t>(at_ - value);
      Add(label);
    } else if (!scan_.outer_name && !IsLabelName(label.Name(json_))) {
      scan_.outer_name = name;
    }
    return true;
  }

  bool Value(std::uint32_t depth, const JsonLabel* outer) {
    switch (Peek()) {
      case '{':
        return Object(depth + 1, outer);
      case '[':
        return Array(depth + 1, outer);
      case '"':
        return String();
      case 't':
        return Word("true");
      case 'f':
        return Word("false");
      case 'n':
        return Word("null");
      default:
        return Number();
    }
  }

  bool Array(std::uint32_t depth, const JsonLabel* outer) {
    if (depth > kMaxJsonDepth) return Fail("the JSON is nested too deeply");
    ++at_;
    SkipBlanks();
    if (Take(']')) return true;
    do {
      SkipBlanks();
      if (!Value(depth, outer)) return false;
      SkipBlanks();
    } while (Take(','));
    return Take(']') || Fail("a comma or ] is missing in an array");
  }

  bool Word(std::string_view word) {
    if (json_.substr(at_, word.size()) != word) return Fail("a JSON value is malformed");
    at_ += word.size();
    return true;
  }

  bool Digits() {
    const std::size_t begin = at_;
    while (IsDigit(Peek())) ++at_;
    return at_ > begin;
  }

  bool Number() {
    Take('-');
    const bool zero = Take('0');
    if (!zero && !Digits()) return Fail("a JSON value is malformed");
    if (Take('.') && !Digits()) return Fail("a JSON number is malformed");
    if (Take('e') || Take('E')) {
      if (!Take('+')) Take('-');
      if (!Digits()) return Fail("a JSON number is malformed");
    }
    return true;
  }

  bool String() {
    ++at_;
    while (at_ < json_.size()) {
      const auto c = static_cast<std::uint8_t>(json_[at_]);
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c < 0x20) return Fail("a control character stands in a JSON string");
      if (c == '\\') {
        if (!Escape()) return false;
      } else if (const std::size_t size = Utf8CharacterSize(json_.substr(at_)); size != 0) {
        at_ += size;
      } else {
        return Fail("the JSON is not valid UTF-8");
      }
    }
    return Fail("a JSON string has no end");
  }

  bool Escape() {
    ++at_;
    const char c = Peek();
    if (c == 'u') {
      for (std::size_t i = 1; i <= 4; ++i) {
        if (at_ + i >= json_.size() || !IsHexDigit(json_[at_ + i]))
          return Fail("a JSON escape is malformed");
      }
      at_ += 5;
      return true;
    }
    if (c == '\0' || std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos) {
      return Fail("a JSON escape is malformed");
    }
    ++at_;
    return true;
  }

  std::string_view json_;
  std::span<JsonLabel> labels_;
  std::size_t at_ = 0;
  std::uint32_t names_above_ = 0;  // names above the current position
  JsonScan scan_;
};

}  // namespace

JsonScan ScanLabelJson(std::string_view json, std::span<JsonLabel> labels) {
  return Scanner(json, labels).Scan();
}

bool IsLabelName(std::string_view name) {
  return !name.empty() && name.size() <= 254 && std::all_of(name.begin(), name.end(), [](char c) {
    return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
}

}  // namespace pmproof::archive
