// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/label_json.h"

#include "reference/core/json_cursor.h"
#include "reference/core/label_set.h"

namespace pmproof::archive {
namespace {

// A recursive descent; its depth is bounded by kMaxJsonDepth.
class Scanner {
 public:
  Scanner(std::string_view json, std::span<JsonLabel> labels)
      : cursor_(json, JsonCursor::Strings::kUtf8), json_(json), labels_(labels) {}

  JsonScan Scan() {
    cursor_.SkipBlanks();
    if (cursor_.Peek() != '{') {
      cursor_.Fail("the text is not a JSON object");
    } else if (Object(1, nullptr)) {
      cursor_.SkipBlanks();
      if (!cursor_.AtEnd()) cursor_.Fail("text follows the JSON object");
    }
    if (cursor_.error()) scan_.error = {cursor_.error()->offset, cursor_.error()->message};
    scan_.blank = cursor_.first_blank();
    return scan_;
  }

 private:
  void Add(const JsonLabel& label) {
    if (scan_.count < labels_.size()) labels_[scan_.count] = label;
    scan_.has_nested |= label.nested();
    ++scan_.count;
  }

  // `outer` is the outermost name above this object, nothing for the text's own object.
  bool Object(std::uint32_t depth, const JsonLabel* outer) {
    if (depth > kMaxJsonDepth) return cursor_.Fail("the JSON is nested too deeply");
    cursor_.Take(cursor_.Peek());
    cursor_.SkipBlanks();
    if (cursor_.Take('}')) return true;
    do {
      cursor_.SkipBlanks();
      if (!Member(depth, outer)) return false;
      cursor_.SkipBlanks();
    } while (cursor_.Take(','));
    return cursor_.Take('}') || cursor_.Fail("a comma or } is missing in an object");
  }

  bool Member(std::uint32_t depth, const JsonLabel* outer) {
    JsonLabel label;
    label.depth = names_above_ + 1;
    const std::size_t name = cursor_.at() + 1;
    if (cursor_.Peek() != '"') return cursor_.Fail("a name in quotes is missing in an object");
    if (!cursor_.String()) return false;
    label.name_offset = static_cast<std::uint32_t>(name);
    label.name_length = static_cast<std::uint32_t>(cursor_.at() - 1 - name);
    if (outer != nullptr) {
      label.outer_offset = outer->name_offset;
      label.outer_length = outer->name_length;
    }
    cursor_.SkipBlanks();
    if (!cursor_.Take(':')) return cursor_.Fail("a colon is missing after a name");
    cursor_.SkipBlanks();
    const std::size_t value = cursor_.at();
    const std::size_t labels_before = scan_.count;
    ++names_above_;
    const bool ok = Value(depth, outer == nullptr ? &label : outer);
    --names_above_;
    if (!ok) return false;
    if (scan_.count == labels_before) {
      label.value_offset = static_cast<std::uint32_t>(value);
      label.value_length = static_cast<std::uint32_t>(cursor_.at() - value);
      Add(label);
    } else if (!scan_.outer_name && !IsLabelName(label.Name(json_))) {
      scan_.outer_name = name;
    }
    return true;
  }

  bool Value(std::uint32_t depth, const JsonLabel* outer) {
    switch (cursor_.Peek()) {
      case '{':
        return Object(depth + 1, outer);
      case '[':
        return Array(depth + 1, outer);
      default:
        return Scalar();
    }
  }

  bool Scalar() {
    const std::size_t begin = cursor_.at();
    const char c = cursor_.Peek();
    if (!cursor_.Scalar()) return false;
    const std::string_view value = json_.substr(begin, cursor_.at() - begin);
    if (c == '"' && !scan_.character) {
      scan_.character = FirstOddCharacter(value);
      if (scan_.character) scan_.character->at += begin;
    }
    const bool is_number = c == '-' || (c >= '0' && c <= '9');
    if (is_number && !scan_.number && !FitsDouble(value)) scan_.number = begin;
    return true;
  }

  bool Array(std::uint32_t depth, const JsonLabel* outer) {
    if (depth > kMaxJsonDepth) return cursor_.Fail("the JSON is nested too deeply");
    cursor_.Take(cursor_.Peek());
    cursor_.SkipBlanks();
    if (cursor_.Take(']')) return true;
    do {
      cursor_.SkipBlanks();
      if (!Value(depth, outer)) return false;
      cursor_.SkipBlanks();
    } while (cursor_.Take(','));
    return cursor_.Take(']') || cursor_.Fail("a comma or ] is missing in an array");
  }

  JsonCursor cursor_;
  std::string_view json_;
  std::span<JsonLabel> labels_;
  std::uint32_t names_above_ = 0;  // names above the current position
  JsonScan scan_;
};

}  // namespace

JsonScan ScanLabelJson(std::string_view json, std::span<JsonLabel> labels) {
  return Scanner(json, labels).Scan();
}

bool IsLabelName(std::string_view name) { return IsLabelName(name, PcpVersion::k7_2); }

}  // namespace pmproof::archive
