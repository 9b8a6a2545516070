// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_BISECT_HYPOTHESES_H_
#define PMPROOF_VALIDATOR_BISECT_HYPOTHESES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/pcp_version.h"
#include "reference/replay/emulation/deviation.h"
#include "reference/replay/rule.h"

// All ways to answer between which `rules bisect` decides.

namespace pmproof::validator {

inline constexpr std::array<PcpVersion, 3> kBisectVersions = {PcpVersion::k6_0_3,
                                                              PcpVersion::k6_3_8, PcpVersion::k7_2};

// Deviations that are on, bit by bit in the order of MendableDeviations(k7_2).
using DeviationMask = std::uint32_t;
inline constexpr std::size_t kSwitches = 12;
inline constexpr DeviationMask kEverySwitch = (DeviationMask{1} << kSwitches) - 1;

// The switches that a version has.
DeviationMask SwitchesOf(PcpVersion version);
// What an emulation with these deviations, and no others, is without.
replay::emulation::Mends WithOnly(DeviationMask on);
std::vector<replay::emulation::Deviation> DeviationsIn(DeviationMask mask);
DeviationMask MaskOf(const std::vector<replay::emulation::Deviation>& deviations);

// A profile, or the emulation of a version with some of its deviations. A value.
struct Hypothesis {
  std::optional<std::size_t> profile;  // in the list of them; else what follows
  PcpVersion version = PcpVersion::k7_2;
  DeviationMask on = 0;
};

// Hypotheses by number: each version with each subset of its deviations, then the profiles.
class HypothesisSpace {
 public:
  explicit HypothesisSpace(std::vector<replay::Profile> profiles);

  std::size_t size() const { return hypotheses_.size(); }
  const Hypothesis& operator[](std::size_t number) const { return hypotheses_[number]; }
  const std::vector<replay::Profile>& profiles() const { return profiles_; }

 private:
  std::vector<replay::Profile> profiles_;
  std::vector<Hypothesis> hypotheses_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_BISECT_HYPOTHESES_H_
