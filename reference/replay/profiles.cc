// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/profiles.h"

#include "reference/replay/relative_time.h"

namespace pmproof::replay {
namespace {

Answer Found(const Value& value, Clause why) { return {Answer::Kind::kValue, value, why}; }

}  // namespace

Answer PcpLegacy::Choose(const Bounds& bounds, const Question&) const {
  return Found(bounds.prior.value, "INT-503"_clause);
}

Answer PcpLegacy::Line(const Bounds& bounds, const Question& question) const {
  return Found(PcpLine(bounds.prior, bounds.next, question.t, wrap_), "INT-601"_clause);
}

Answer Pcp632::Choose(const Bounds& bounds, const Question& question) const {
  const Bound& prior = bounds.prior;
  const Bound& next = bounds.next;
  if (!IsNumeric(question.type)) return Found(prior.value, "INT-504"_clause);
  const double middle = (prior.moment.at + next.moment.at) / 2;
  return Found(question.t <= middle ? prior.value : next.value, "INT-503"_clause);
}

Answer Documented::Choose(const Bounds& bounds, const Question& question) const {
  const Bound& prior = bounds.prior;
  const Bound& next = bounds.next;
  const bool earlier = ExactlyBetween(prior.moment.time, question.time) <=
                       ExactlyBetween(question.time, next.moment.time);
  return Found(earlier ? prior.value : next.value,
               IsNumeric(question.type) ? "INT-503"_clause : "INT-504"_clause);
}

Answer Documented::Line(const Bounds& bounds, const Question& question) const {
  return Found(ExactLine(bounds.prior, bounds.next, question.time, wrap_), "INT-611"_clause);
}

std::vector<Profile> NamedProfiles(CounterWrap wrap) {
  return {PcpLegacy(wrap), Pcp632(wrap), Documented(wrap)};
}

}  // namespace pmproof::replay
