// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_RULE_H_
#define PMPROOF_REFERENCE_REPLAY_RULE_H_

#include <concepts>
#include <memory>
#include <string_view>
#include <utility>

#include "reference/core/clause.h"
#include "reference/core/metric.h"
#include "reference/replay/bounds.h"

// How a value follows from its bounds (section 5 of reference/spec/interpolation.md).

namespace pmproof::replay {

// What is asked for: the value of a metric of this type and semantics at a time.
struct Question {
  Timestamp time;
  double t = 0;  // INT-201
  MetricType type = MetricType::k32;
  Semantics semantics = Semantics::kInstant;
};

// The answer for one instance, and the clause that gave it.
struct Answer {
  enum class Kind : std::uint8_t {
    kNone,       // there is no value
    kValue,      // `value`
    kTypeError,  // the metric as a whole is answered PM_ERR_TYPE (INT-405, INT-412)
    kDamaged,    // likewise PM_ERR_LOGREC: a refused record is in the way (INT-411, INT-903)
  };
  Kind kind = Kind::kNone;
  Value value{};
  Clause why;
};

// What else differs between profiles (section 12).
struct ProfileTraits {
  bool exact_end = false;          // INT-1206: end of the archive without tolerance and memory
  bool normalised_time = false;    // INT-1207
  bool lifetimes = true;           // INT-1208: the rule of 16 instances, INT-403
  bool marks_by_direction = true;  // INT-1211: the virtual marks of archive sets, INT-905
};

// The bounds without which there is no value: where nothing at all, not even a mark, is on that
// side, At() says kNone whatever the other bound is, unless that is damage.
struct Needs {
  bool prior = false;
  bool next = false;
};

// An interpolation rule: which of two observations is chosen, and how a counter is drawn between
// them. What holds for all of them (INT-501, INT-502, INT-505) is in At(). A rule of one's own
// overrides what it changes; At() too, where even that does not hold for it. Immutable.
class Rule {
 public:
  virtual ~Rule() = default;

  virtual std::string_view name() const = 0;
  // What is peculiar to it, in a sentence or two for people; may be empty.
  virtual std::string_view summary() const { return {}; }
  virtual ProfileTraits traits() const { return {}; }

  // Only saves time: says of which questions the answer is known without asking.
  virtual Needs NeedsOf(MetricType, Semantics) const { return {}; }

  // The answer at question.t.
  virtual Answer At(const Bounds& bounds, const Question& question) const;

 protected:
  // INT-503, INT-504: both bounds are observations and the time lies strictly between them.
  virtual Answer Choose(const Bounds& bounds, const Question& question) const = 0;

  // Section 6: the same, of a counter of an arithmetic type.
  virtual Answer Line(const Bounds& bounds, const Question& question) const = 0;

  // Those of At() as it stands here.
  static Needs UsualNeeds(MetricType type, Semantics semantics);
};

// A rule as a value, to be handed around.
class Profile {
 public:
  template <std::derived_from<Rule> R>
  Profile(R rule) : rule_(std::make_shared<const R>(std::move(rule))) {}  // NOLINT: a rule is one

  const Rule& operator*() const { return *rule_; }
  const Rule* operator->() const { return rule_.get(); }

 private:
  std::shared_ptr<const Rule> rule_;
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_RULE_H_
