// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_IN_FORCE_H_
#define PMPROOF_VALIDATOR_AGAINST_IN_FORCE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "reference/core/timestamp.h"
#include "validator/against/difference.h"

namespace pmproof::validator::against {

// How one item is other on the two sides. The texts view metadata.
struct Mismatch {
  Change change = Change::kLost;
  std::string_view was;
  std::string_view is;

  friend bool operator==(const Mismatch&, const Mismatch&) = default;
};

// Nothing where both are the same; an absent text is an item that is not there.
std::optional<Mismatch> Compare(std::optional<std::string_view> was,
                                std::optional<std::string_view> is);

// What is in force at each time of one subject - the instances of a domain, the labels of an
// identifier - on both sides. Only what is in force when somebody looks counts: at the times of
// values that it belongs to. So metadata may be repeated, and written earlier or later, as long as
// whoever reads a value finds the same.
class InForce {
 public:
  // Told of each item that was other when somebody looked, and the first and last time of that.
  using Tell = std::function<void(std::int32_t item, const Mismatch& mismatch, Timestamp first,
                                  Timestamp last)>;

  explicit InForce(Tell tell) : tell_(std::move(tell)) {}
  virtual ~InForce() = default;
  InForce(const InForce&) = delete;
  InForce& operator=(const InForce&) = delete;

  // Somebody looks at `time`; times do not go back.
  void Look(Timestamp time) {
    if (looked_ && *looked_ == time) return;
    AdvanceTo(time);
    looked_ = time;
    if (!fresh_.empty()) Date(time);
  }

  // Tells what is still other; before it is asked for the last time.
  void End();

 protected:
  // Brings both sides to `time` and calls Set() for each item that may have changed.
  virtual void AdvanceTo(Timestamp time) = 0;
  void Set(std::int32_t item, const std::optional<Mismatch>& mismatch);

  // Whether an item was ever told of.
  bool Told(std::int32_t item) const { return told_.contains(item); }

 private:
  struct Open {
    Mismatch mismatch;
    std::optional<Timestamp> first;  // when somebody looked; nothing: nobody has
  };
  void Date(Timestamp time);
  void Close(std::int32_t item, const Open& open);

  Tell tell_;
  std::map<std::int32_t, Open> open_;
  std::vector<std::int32_t> fresh_;  // items that nobody may have looked at yet
  std::set<std::int32_t> told_;
  std::optional<Timestamp> looked_;
};

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_IN_FORCE_H_
