// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_EXPRESSION_FETCHED_VALUES_H_
#define PMPROOF_GENERATORS_EXPRESSION_FETCHED_VALUES_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/expression/fetch_plan.h"
#include "generators/expression/undefined.h"
#include "reference/core/status.h"
#include "reference/derived/derived_context.h"
#include "reference/derived/dialect.h"
#include "reference/replay/emulation/record_log.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::generators {

// The values of one metric in all fetches of a plan, "INSTANCE:HEX INSTANCE:HEX " each, separated
// by "|": "E-12370" is an error of the fetch, "e-12379" one of the metric, "nan" any NaN, "s6162"
// the bytes of a string.
struct FetchedText {
  // As that version of PCP fetches operands, in its order; and as the reference does, by instance.
  std::string emulated;
  std::string reference;
  // Why the two have other operands: "DEV-03".
  std::set<std::string> deviations;
};

struct FetchedTexts {
  std::vector<FetchedText> metrics;
  // So many fetches of the plan: after them PCP has destroyed its memory (DEV-02, 05).
  std::size_t fetches = 0;
};

// Derived metrics of one archive, by replay and by its emulation. The archive and the log, which is
// of all its metrics, outlive it.
class DerivedValues {
 public:
  DerivedValues(const replay::ReplayArchive& archive, const replay::emulation::RecordLog& log,
                const derived::Dialect& dialect)
      : archive_(archive), log_(log), dialect_(dialect) {}

  // All in one list of one context. Each binds in `context`, and is undefined with no values
  // (UndefinedInValues).
  Result<FetchedTexts> Fetch(derived::DerivedContext* context,
                             const std::vector<std::string>& names, const FetchPlan& plan) const;

  // Which of them are undefined with the values that the plan fetches (ValueWatch).
  std::vector<std::optional<Undefined>> Watch(derived::DerivedContext* context,
                                              const std::vector<std::string>& names,
                                              const FetchPlan& plan) const;

 private:
  const replay::ReplayArchive& archive_;
  const replay::emulation::RecordLog& log_;
  const derived::Dialect& dialect_;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_EXPRESSION_FETCHED_VALUES_H_
