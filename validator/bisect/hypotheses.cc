// SPDX-License-Identifier: Apache-2.0
#include "validator/bisect/hypotheses.h"

#include <algorithm>
#include <utility>

namespace pmproof::validator {
namespace {

using replay::emulation::Deviation;
using replay::emulation::MendableDeviations;
using replay::emulation::Mends;

const std::vector<Deviation>& Switches() {
  static const std::vector<Deviation> all = MendableDeviations(PcpVersion::k7_2);
  return all;
}

}  // namespace

DeviationMask MaskOf(const std::vector<Deviation>& deviations) {
  DeviationMask mask = 0;
  for (std::size_t i = 0; i < Switches().size(); ++i) {
    if (std::ranges::count(deviations, Switches()[i]) > 0) mask |= DeviationMask{1} << i;
  }
  return mask;
}

DeviationMask SwitchesOf(PcpVersion version) { return MaskOf(MendableDeviations(version)); }

std::vector<Deviation> DeviationsIn(DeviationMask mask) {
  std::vector<Deviation> deviations;
  for (std::size_t i = 0; i < Switches().size(); ++i) {
    if ((mask >> i & 1) != 0) deviations.push_back(Switches()[i]);
  }
  return deviations;
}

Mends WithOnly(DeviationMask on) {
  Mends mends;
  for (const Deviation deviation : DeviationsIn(kEverySwitch & ~on)) mends = mends.With(deviation);
  return mends;
}

HypothesisSpace::HypothesisSpace(std::vector<replay::Profile> profiles)
    : profiles_(std::move(profiles)) {
  for (const PcpVersion version : kBisectVersions) {
    for (DeviationMask on = 0; on <= kEverySwitch; ++on) {
      if ((on & ~SwitchesOf(version)) == 0) hypotheses_.push_back({std::nullopt, version, on});
    }
  }
  for (std::size_t i = 0; i < profiles_.size(); ++i) hypotheses_.push_back({i, {}, 0});
}

}  // namespace pmproof::validator
