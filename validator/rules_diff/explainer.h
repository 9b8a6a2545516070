// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_EXPLAINER_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_EXPLAINER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "reference/core/pcp_version.h"
#include "validator/rules_diff/describe_answer.h"
#include "validator/rules_diff/side.h"

namespace pmproof::validator {

// Explains differences by the deviations of a version of PCP (section 13 of
// reference/spec/interpolation.md): one side answers as that version does, the other as the
// specification says that it should. A resource, used by one thread.
class Explainer {
 public:
  Explainer(PcpVersion version, bool counter_wrap)
      : version_(version), counter_wrap_(counter_wrap) {}

  // What is explained from now on. Both outlive the explanations; nothing is replayed before the
  // first one.
  void Ask(const SideTask& task, const SideRequest& request);

  // Returns the deviations by which two replies differ at the fetch `number` of the request, such
  // as "DEV-03 DEV-07"; "" where they are not the reason. `metric`: of the task. `instance`:
  // nothing where the two differ in the error of the whole metric.
  std::string Explain(std::uint64_t number, std::size_t metric,
                      std::optional<std::int32_t> instance, const Reply& baseline,
                      const Reply& candidate);

  // Why differences could not be looked at, and how many.
  const std::map<std::string, std::uint64_t>& unknown() const { return unknown_; }

 private:
  using Place = std::tuple<std::uint64_t, std::size_t, std::optional<std::int32_t>>;
  // Replies as texts.
  struct Deviating {
    std::string pcp;
    std::string specified;
    std::string by;
  };

  void Replay();
  std::optional<Status> FindDeviating();
  std::optional<Status> FindSpecified();

  PcpVersion version_;
  bool counter_wrap_;
  const SideTask* task_ = nullptr;
  SideRequest request_;
  bool replayed_ = false;
  std::map<Place, Deviating> deviating_;
  std::uint64_t known_ = 0;  // fetches of which it is known what PCP answers
  std::string why_unknown_;  // the others
  std::map<std::string, std::uint64_t> unknown_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_EXPLAINER_H_
