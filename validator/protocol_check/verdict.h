// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_VERDICT_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_VERDICT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "reference/core/clause.h"

namespace pmproof::validator::agent {

enum class Outcome : std::uint8_t { kPass, kFail, kNotChecked };

inline constexpr std::size_t kShownOffences = 3;

// What came of one check. A value.
struct Verdict {
  Outcome outcome = Outcome::kPass;
  // kFail: what was seen and what is due. kNotChecked: why. kPass: what is worth recording, or
  // empty.
  std::string because{};
  // kNotChecked because of an offence that other checks are there to report: those. Where none of
  // them reports it, this check does (agent/left_to.h).
  std::vector<Clause> left_to{};
  // kFail: how many offences were seen. `because` is the first; these are those after it, as far as
  // they were kept (Offences). Reports show kShownOffences of them.
  std::uint64_t offences = 1;
  std::vector<std::string> further{};

  static Verdict Pass(std::string note = "") {
    return {.outcome = Outcome::kPass, .because = std::move(note)};
  }
  static Verdict Fail(std::string because) {
    return {.outcome = Outcome::kFail, .because = std::move(because)};
  }
  static Verdict NotChecked(std::string because) {
    return {.outcome = Outcome::kNotChecked, .because = std::move(because)};
  }
  static Verdict Left(std::string because, std::vector<Clause> to) {
    return {
        .outcome = Outcome::kNotChecked, .because = std::move(because), .left_to = std::move(to)};
  }
  bool passed() const { return outcome == Outcome::kPass; }

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

// What a step of a check gives, or the verdict that the check ends with because of it.
template <typename T>
using VerdictOr = tl::expected<T, Verdict>;

inline tl::unexpected<Verdict> Failed(std::string because) {
  return tl::make_unexpected(Verdict::Fail(std::move(because)));
}
inline tl::unexpected<Verdict> Unchecked(std::string because) {
  return tl::make_unexpected(Verdict::NotChecked(std::move(because)));
}

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_VERDICT_H_
