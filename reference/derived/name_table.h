// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_NAME_TABLE_H_
#define PMPROOF_REFERENCE_DERIVED_NAME_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>

#include "reference/derived/bind.h"

namespace pmproof::derived {

// The names that an expression has asked its context for, each once.
class NameTable {
 public:
  struct Entry {
    std::string_view name{};
    OperandAnswer answer{};
    std::uint32_t operand = BoundNode::kNone;  // in BoundExpression::operands()
  };

  // `source` must outlive this.
  explicit NameTable(const OperandSource& source) : source_(source) {}

  // The view must hold as long as this; references to entries do.
  Entry& Find(std::string_view name) {
    if (entries_.size() < kFew) {
      for (Entry& entry : entries_) {
        if (entry.name == name) return entry;
      }
    } else if (const auto found = by_name_.find(name); found != by_name_.end()) {
      return *found->second;
    }
    Entry& entry = entries_.emplace_back(Entry{name, source_.Find(name)});
    if (entries_.size() == kFew) {
      for (Entry& each : entries_) by_name_.emplace(each.name, &each);
    } else if (entries_.size() > kFew) {
      by_name_.emplace(name, &entry);
    }
    return entry;
  }

 private:
  static constexpr std::size_t kFew = 8;

  const OperandSource& source_;
  std::deque<Entry> entries_;
  std::unordered_map<std::string_view, Entry*> by_name_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_NAME_TABLE_H_
