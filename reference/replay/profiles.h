// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_PROFILES_H_
#define PMPROOF_REFERENCE_REPLAY_PROFILES_H_

#include <string_view>
#include <vector>

#include "reference/replay/counter_line.h"
#include "reference/replay/rule.h"

// The three profiles of INT-1201.

namespace pmproof::replay {

// PCP up to 6.3.1: the earlier of two observations.
class PcpLegacy : public Rule {
 public:
  explicit PcpLegacy(CounterWrap wrap = CounterWrap::kOff) : wrap_(wrap) {}
  std::string_view name() const override { return "pcp-legacy"; }
  std::string_view summary() const override {
    return "PCP up to 6.3.1: between two observations the value of the earlier one, unless it is a "
           "counter.";
  }
  Needs NeedsOf(MetricType type, Semantics semantics) const override {
    return UsualNeeds(type, semantics);
  }

 protected:
  Answer Choose(const Bounds& bounds, const Question& question) const override;
  Answer Line(const Bounds& bounds, const Question& question) const override;

 private:
  CounterWrap wrap_;
};

// PCP since 6.3.2: the closest of two observations, a tie goes to the earlier one; the middle is
// computed in double. Opaque values: the earlier one, as before.
class Pcp632 final : public PcpLegacy {
 public:
  using PcpLegacy::PcpLegacy;
  std::string_view name() const override { return "pcp-6.3.2"; }
  std::string_view summary() const override {
    return "PCP since 6.3.2: between two observations the closest one's value, in a tie the "
           "earlier one's; the middle is computed in double. Strings, aggregates and events: the "
           "earlier one's, as before.";
  }

 protected:
  Answer Choose(const Bounds& bounds, const Question& question) const override;
};

// What the documents say: the closest of two observations of any type, a tie goes to the earlier
// one; times and lines are exact.
class Documented final : public Rule {
 public:
  explicit Documented(CounterWrap wrap = CounterWrap::kOff) : wrap_(wrap) {}
  std::string_view name() const override { return "documented"; }
  std::string_view summary() const override {
    return "What PCP's documents say: the closest observation's value for every type, in a tie the "
           "earlier one's; times, lines and the end of the archive are exact.";
  }
  ProfileTraits traits() const override {
    return {.exact_end = true,
            .normalised_time = true,
            .lifetimes = false,
            .marks_by_direction = false};
  }
  Needs NeedsOf(MetricType type, Semantics semantics) const override {
    return UsualNeeds(type, semantics);
  }

 protected:
  Answer Choose(const Bounds& bounds, const Question& question) const override;
  Answer Line(const Bounds& bounds, const Question& question) const override;

 private:
  CounterWrap wrap_;
};

// The profiles that are offered by name, in the order of INT-1201.
std::vector<Profile> NamedProfiles(CounterWrap wrap = CounterWrap::kOff);

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_PROFILES_H_
