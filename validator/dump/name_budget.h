// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DUMP_NAME_BUDGET_H_
#define PMPROOF_VALIDATOR_DUMP_NAME_BUDGET_H_

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace pmproof::validator {

// How much of instances' names is shown: of each at most 4 KiB, and of the names of one record
// together hardly more than the record has bytes. Names can share bytes (ARC-1421), so that
// thousands of them in a record of a megabyte have a gigabyte; of what comes after the budget is
// used up 64 bytes each are shown. A value, for one record.
class NameBudget {
 public:
  static constexpr std::size_t kMost = 4096;
  static constexpr std::size_t kLeast = 64;

  // `full`: all of all names.
  NameBudget(bool full, std::size_t bytes) : full_(full), left_(bytes) {}

  // What is shown of a name. It ends between characters.
  std::string_view Take(std::string_view name) {
    if (full_) return name;
    const std::size_t most = std::min(kMost, std::max(left_, kLeast));
    left_ -= std::min({left_, name.size(), most});
    cut_ = name.size() > most;
    if (!cut_) return name;
    std::size_t end = most;
    while (end > most - 3 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;
    return name.substr(0, end);
  }

  // Whether that was not all of it.
  bool cut() const { return cut_; }

 private:
  bool full_;
  bool cut_ = false;
  std::size_t left_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DUMP_NAME_BUDGET_H_
