// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/label_names.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reference/core/bounded_sort.h"
#include "reference/core/json_cursor.h"

namespace pmproof::archive {
namespace {

struct Name {
  std::string_view text;
  std::uint32_t object = 0;  // the number of its object, in the order of the text
  std::uint32_t depth = 0;   // objects around it
  bool is_label = true;      // no name stands in its value
};

// The names of all objects, in the order of the text. The file may change while it is read:
// whatever comes then, it ends.
class NameCollector {
 public:
  explicit NameCollector(std::string_view json) : cursor_(json, JsonCursor::Strings::kAnyBytes) {}

  std::vector<Name> Collect() {
    while (!cursor_.AtEnd() && !cursor_.error()) {
      const char c = cursor_.Peek();
      if (c == '{') {
        objects_.push_back(next_object_++);
        cursor_.Take(c);
      } else if (c == '}') {
        if (!objects_.empty()) objects_.pop_back();
        cursor_.Take(c);
      } else if (c == '"') {
        TakeString();
      } else if (std::string_view("[],:").find(c) != std::string_view::npos) {
        cursor_.Take(c);
      } else if (cursor_.SkipBlanks() == 0) {
        cursor_.Scalar();
      }
    }
    for (std::size_t i = 1; i < names_.size(); ++i)
      names_[i - 1].is_label = names_[i].depth <= names_[i - 1].depth;
    return std::move(names_);
  }

 private:
  void TakeString() {
    const std::size_t begin = cursor_.at() + 1;
    if (!cursor_.String()) return;
    const std::size_t size = cursor_.at() - 1 - begin;
    cursor_.SkipBlanks();
    if (cursor_.Peek() != ':' || objects_.empty()) return;  // a value
    names_.push_back({cursor_.text().substr(begin, size), objects_.back(),
                      static_cast<std::uint32_t>(objects_.size())});
  }

  JsonCursor cursor_;
  std::vector<std::uint32_t> objects_;  // that are open
  std::uint32_t next_object_ = 0;
  std::vector<Name> names_;
};

}  // namespace

std::optional<std::size_t> FindRepeatedName(std::string_view json) {
  std::vector<Name> names = NameCollector(json).Collect();
  BoundedSort(names.begin(), names.end(), [](const Name& a, const Name& b) {
    if (a.object != b.object) return a.object < b.object;
    if (a.text != b.text) return a.text < b.text;
    return a.text.data() < b.text.data();
  });
  std::optional<std::size_t> first;
  for (std::size_t i = 1; i < names.size(); ++i) {
    const Name& before = names[i - 1];
    const Name& name = names[i];
    if (before.object != name.object || before.text != name.text) continue;
    if (before.is_label && name.is_label && name.depth <= 2) continue;
    const auto at = static_cast<std::size_t>(name.text.data() - json.data());
    first = std::min(first.value_or(at), at);
  }
  return first;
}

}  // namespace pmproof::archive
